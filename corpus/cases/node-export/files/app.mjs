import { load } from './config.mjs';
load();
