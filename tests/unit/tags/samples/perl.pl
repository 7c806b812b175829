#!/usr/bin/perl
# sub fake {}
use strict;
use warnings;
use parent qw(Base::Cart Other);
use List::Util qw(sum first);
use constant PI => 3.14;
use constant { MAX => 10, MIN => 1 };
require Shop::Item;

package Shop::Cart;
use Moose;
extends 'Shop::Base';
with 'Shop::Role';
has name => (is => 'rw', isa => 'Str');
has 'total' => (is => 'ro');

our $VERSION = '1.0';
our @ISA = ('Base');
my $private = 3;
my %table = (a => 1);

=pod

sub fake2 { }

=cut

sub new {
    my ($class, %args) = @_;
    my $self = bless {}, $class;
    $self->init(%args);
    return $self;
}

sub total : lvalue {
    my $self = shift;
    my $sum = sum(map { $_->price } @{ $self->{items} });
    log_it("sub fake3 {}");
    Shop::Util::round($sum);
    my $cb = \&callback;
    &old_style($sum);
    my $item = Shop::Item->new(qty => 2);
    local $_ = 1;
    return $sum if is_ok $sum;
}

sub _proto($$) { return 1 }
sub stub { }
my $anon = sub { inner_call() };
*alias = \&total;

around save => sub { my ($orig, $self) = @_; $self->$orig() };

BEGIN { setup() }

package Shop::Util {
    sub round { return int(shift) }
}

sub AUTOLOAD { }
package main;
my $text = <<"END";
sub fake4 { }
END
print total($private) . Shop::Cart::count();
$text =~ s/sub fake5 {}/x/;
1;
__END__
sub fake6 { }
