import { load } from './b.js';
load();
