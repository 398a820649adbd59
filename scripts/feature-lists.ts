/** Writes the lists that are derived from the folders of the features: `npm run lists`. */
import { writeFileSync } from 'node:fs';
import { featureLists } from './feature-lists/derive.ts';

for (const [path, text] of await featureLists()) writeFileSync(path, text);
