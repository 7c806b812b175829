// @interface Fake
#import <Foundation/Foundation.h>
#import "Cart.h"
@import UIKit;
@class Item, Other;

#define MAX_ITEMS 10
#define SQUARE(x) ((x) * (x))
typedef void (^Handler)(NSInteger n);
typedef struct { int a; } Pair;
struct point { int x; };
extern NSString *const CartChanged;
NSString *const CartDone = @"done";
static int counter = 0;

/* @protocol Fake2 */
@protocol Priced <NSObject, HasName>
@property (nonatomic, readonly) NSInteger price;
- (Money *)priceFor:(NSInteger)qty;
@optional
+ (instancetype)shared;
@end

@interface Cart : BaseCart <Priced, NSCopying> {
    NSMutableArray *_items;
}
@property (nonatomic, strong, getter=isOpen) NSArray<Item *> *items;
@property (copy) Handler handler;
- (instancetype)initWithName:(NSString *)name count:(NSInteger)count NS_DESIGNATED_INITIALIZER;
+ (Cart *)cartWithItem:(Item *)item;
- (void)refresh;
@end

@interface Cart (Private)
- (void)secret;
@end

@interface Cart ()
@property (nonatomic) Money *total;
@end

@implementation Cart
@synthesize items = _items;
@dynamic handler;

- (instancetype)initWithName:(NSString *)name count:(NSInteger)count {
    self = [super init];
    if (self) {
        _items = [NSMutableArray arrayWithCapacity:MAX_ITEMS];
        [self addItem:[Item itemNamed:@"class Fake3 {}"] at:0];
        self.total = makeTotal(count);
        Handler h = ^(NSInteger n) { report(n); };
        dispatch_async(queue, ^{ [self refresh]; });
        [[NSNotificationCenter defaultCenter] addObserver:self selector:@selector(refreshAll:) name:CartChanged object:nil];
        for (Item *item in _items) { [item drop]; }
        @try { risky(); } @catch (NSException *e) { @throw e; }
        if ([self conformsToProtocol:@protocol(Priced)]) { return nil; }
    }
    return self;
}

+ (Cart *)cartWithItem:(Item *)item { return [[Cart alloc] initWithName:@"a" count:SQUARE(2)]; }
- (void)refresh { [self.delegate cartDidRefresh:self]; }
@end

@implementation Cart (Private)
- (void)secret {}
@end

static NSInteger helper(Cart *cart, int n) { return [cart priceFor:n]; }
int main(int argc, char **argv) { @autoreleasepool { return helper(nil, 1); } }
