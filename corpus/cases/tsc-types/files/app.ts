interface User { id: number; name: string }
const u: User = { id: '7' };
export function len(s: string): number { return s; }
