#import "View.h"
/* @interface NotThis */
#define MAX 3
@class Forward;
@protocol Drawing <NSObject>
- (void)draw;
@end
@interface View : NSObject
@property (nonatomic) int count;
- (void)declared:(int)x;
@end
@implementation View
- (void)draw {
    [self run:^{ return; }];
}
+ (instancetype)make:(int)x with:(NSString *)name
{
    return nil;
}
static int helper(int x) { return x; }
@end
int main(void) { return 0; }
