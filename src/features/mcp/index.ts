/** The Model Context Protocol, by which agents use the API (docs/mcp.md). */
import type { Feature } from '../../core.ts';
import { mcpConfig } from './config.ts';
import { agents } from './operations.ts';

export const mcp: Feature = {
  name: 'mcp',
  config: mcpConfig,
  operations: (described) => [agents(described)],
};
