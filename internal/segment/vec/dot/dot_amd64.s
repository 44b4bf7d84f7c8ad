#include "textflag.h"

// func avx2(dst *int32, query *int16, rows *byte, n, length int)
//
// Each step widens 32 numbers of the row to 16 bits, multiplies them with the
// query and adds pairs of products to 2 times 8 sums.
TEXT ·avx2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ query+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ length+32(FP), R8

row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  AX, AX

step:
	VPMOVSXBW (DX)(AX*1), Y2
	VPMOVSXBW 16(DX)(AX*1), Y3
	VPMADDWD  (SI)(AX*2), Y2, Y2
	VPMADDWD  32(SI)(AX*2), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, AX
	CMPQ      AX, R8
	JB        step

	// The sum of the 16 sums.
	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)

	ADDQ $4, DI
	ADDQ R8, DX
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET
