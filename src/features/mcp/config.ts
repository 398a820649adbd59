/** The setting of MCP. */
import type { FeatureConfig } from '../../settings/row.ts';

export const mcpConfig = {
  settings: [
    {
      variable: 'MCP',
      key: 'mcp',
      kind: 'choice',
      choices: ['off', 'read', 'write'],
      default: 'read',
      meaning: 'Serves MCP, for agents, at `/mcp`: `off`, `read`, or `write` with the tools that write',
    },
  ],
  settingsAfter: 'DATA_DIR',
} as const satisfies FeatureConfig;
