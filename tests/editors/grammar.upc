// SYNTAX TEST "source.upc" "words of UPC"
#include <upc.h>
//<------- meta.preprocessor.upc keyword.control.directive.upc
//       ^^^^^^^ string.quoted.other.lt-gt.include.upc
#pragma upc strict
//      ^^^ entity.name.namespace.upc
//          ^^^^^^ keyword.other.pragma.upc
shared [4] int a[4*THREADS];
//<------ storage.modifier.shared.upc
//     ^ punctuation.definition.layout.begin.upc
//      ^ meta.layout.upc constant.numeric.upc
//         ^^^ storage.type.upc
//                 ^^^^^^^ constant.language.upc
static shared [*] double b[8*THREADS]; /* shared */
//             ^ keyword.operator.layout.upc
//                                     ^^^^^^^^^^^^ comment.block.upc
strict shared [] int *p = "shared"; // shared
//<------ storage.modifier.shared.upc
//                        ^^^^^^^^ string.quoted.double.upc
//                                  ^^^^^^^^^ comment.line.double-slash.upc
int main(void) {
//  ^^^^ entity.name.function.upc
    upc_forall (int i = 0; i < 4; i++; &a[i]) continue;
//  ^^^^^^^^^^ keyword.control.upc
//                                            ^^^^^^^^ keyword.control.upc
    upc_lock_t *lock = upc_all_lock_alloc();
//  ^^^^^^^^^^ support.type.upc
//                     ^^^^^^^^^^^^^^^^^^ support.function.upc
    upc_barrier 3;
//  ^^^^^^^^^^^ keyword.control.upc
    upc_all_broadcast(a, p, UPC_IN_ALLSYNC);
//                          ^^^^^^^^^^^^^^ support.constant.upc
    return MYTHREAD == 0 ? upc_blocksizeof(a) : 1.5e3;
//         ^^^^^^^^ constant.language.upc
//                         ^^^^^^^^^^^^^^^ keyword.operator.sizeof.upc
//                                              ^^^^^ constant.numeric.upc
}
