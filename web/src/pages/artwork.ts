/** The board on the start page: four in their fifth round. */
export const HERO_POSITION =
	"harbor/tower/barn/oracle discoverers,fishermen,merchants - 010202 C1D1F2G1 GGTTGTCDTFGCDCFF 5A/C/3/- 26:q1,p2,q3,r3,q4,q5,b9,b10,a11,b11,i18,j18,j19,j20:p4:C 28:o2,o3,p3,d4,d5,b6,c6,a7,b7,c8,d8,d9:p4:D 26:m7,l8,l9,o10,o11,o12,q12,r13,s13,q14,q15,r15,h17,d20:m8,r14:D 25:b4,b5,a6,n7,o7,n8,h9,h10,t12,t13,s14,t14,h15,h16,i17:g8,m8,r14:T";
