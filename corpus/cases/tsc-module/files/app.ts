import { z } from 'zodd';
export const a = z;
