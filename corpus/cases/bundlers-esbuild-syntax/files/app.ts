export const f = (a: number => a;
