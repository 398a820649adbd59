/** The features, in the order in which the documentation lists what they add. */
import { audit } from './audit/index.ts';
import { cache } from './cache/index.ts';
import { call } from './call/index.ts';
import { csv } from './csv/index.ts';
import type { Feature } from './feature.ts';
import { mcp } from './mcp/index.ts';
import { server } from './server/index.ts';

export const features: readonly Feature[] = [csv, cache, server, call, audit, mcp];
