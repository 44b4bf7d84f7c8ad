#include "textflag.h"

// Instructions that the assembler has no name for: the low or high 8 numbers of
// n widened to 16 bits, and the products of 4 numbers of n and m, the low or
// the high ones, added to the 4 sums of d.
#define SXTL(n, d) WORD $(0x0F08A400 | (n)<<5 | (d))
#define SXTL2(n, d) WORD $(0x4F08A400 | (n)<<5 | (d))
#define SMLAL(m, n, d) WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(m, n, d) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d))

// func neon(dst *int32, query *int16, rows *byte, n, length int)
//
// Each step widens 32 numbers of the row to 16 bits, multiplies them with the
// query and adds the products to 4 times 4 sums.
TEXT ·neon(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD query+8(FP), R1
	MOVD rows+16(FP), R2
	MOVD n+24(FP), R3
	MOVD length+32(FP), R4

row:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD R1, R5
	MOVD R4, R6

step:
	VLD1.P 32(R2), [V4.B16, V5.B16]
	VLD1.P 64(R5), [V16.H8, V17.H8, V18.H8, V19.H8]
	SXTL(4, 20)
	SXTL2(4, 21)
	SXTL(5, 22)
	SXTL2(5, 23)
	SMLAL(16, 20, 0)
	SMLAL2(16, 20, 1)
	SMLAL(17, 21, 2)
	SMLAL2(17, 21, 3)
	SMLAL(18, 22, 0)
	SMLAL2(18, 22, 1)
	SMLAL(19, 23, 2)
	SMLAL2(19, 23, 3)
	SUBS   $32, R6, R6
	BNE    step

	// The sum of the 16 sums.
	VADD  V1.S4, V0.S4, V0.S4
	VADD  V3.S4, V2.S4, V2.S4
	VADD  V2.S4, V0.S4, V0.S4
	VADDV V0.S4, V0
	FMOVS F0, (R0)

	ADD  $4, R0
	SUBS $1, R3, R3
	BNE  row
	RET
