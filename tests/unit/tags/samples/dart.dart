// Carts of a small shop.
library shop.cart;

import 'dart:async';
import 'package:shop/money.dart' show Money, Currency;
export 'src/item.dart' hide Secret;
part 'cart.g.dart';

typedef Pricer<T> = double Function(T item);
typedef int Compare(int a, int b);

const maxItems = 10;
final Logger log = Logger('cart');
int counter = 0, other = start();
late final Repo<Item> repo;

enum Status { open, closed }

enum Planet implements Comparable<Planet> {
  earth(mass: 5.9),
  mars(mass: 0.6);

  const Planet({required this.mass});
  final double mass;
  double get weight => mass * gravityOf(this);
}

mixin Loggable on Entity implements Printable {
  void log(String m) => writeLog(m);
}

base mixin class Both {}

extension ListX<T> on List<T> {
  T? get firstOrNull => isEmpty ? null : first;
}

extension on String {
  String shout() => toUpperCase();
}

extension type UserId(int value) {
  bool isValid() => value > 0;
}

abstract interface class Repo<T extends Object> {
  Future<T> fetch(int id);
  set label(String v);
  external void native();
}

sealed class Shape {}

class Alias = Base with Loggable;

/// A cart.
@immutable
@JsonSerializable(explicitToJson: true)
class Cart extends Entity with Loggable, Both implements Repo<Item> {
  final List<Item> items;
  static const limit = 10;
  static const Limit = 11;
  Money? _total;
  late Timer timer = Timer(limit, run);

  Cart(this.items) : super(items);
  Cart.empty() : items = const [];
  const Cart._(this.items);
  factory Cart.fromJson(Map<String, dynamic> json) => Cart(parseItems(json));

  double get total => items.fold(0, (a, b) => a + priceOf(b));
  set label(String v) => updateLabel(v);
  operator [](int i) => items[i];
  bool operator ==(Object other) => other is Cart && same(other);

  static Cart of(BuildContext context) => context.find<Cart>()!;

  @override
  Future<Item> fetch(int id) async {
    String inner(String s) => s.trim();
    await for (final x in streamItems()) {
      if (x.id == id) return x;
    }
    final worker = new Worker<Item>.start();
    worker
      ..open()
      ..send(inner('class Fake {}'));
    throw NotFound('no $id ${describe(id)}');
  }

  Stream<int> ticks() async* {
    yield* Stream.periodic(second);
  }
}

Cart makeCart({required int size}) => Cart.empty();

int get now => clock();
set speed(int value) {}

void main() {
  runApp(const CartPage());
}
