/** Settings that are set, and have no effect beside the others. */
import type { Settings } from './types.ts';

/** A sentence for each of them. */
export function idleSettings(settings: Pick<Settings, 'read_preference' | 'mongodb_url'>): readonly string[] {
  const { read_preference: mode = 'primary', mongodb_url } = settings;
  if (mode === 'primary' || mongodb_url !== undefined) return [];
  return ['READ_PREFERENCE has no effect without MONGODB_URL: the embedded store has one member'];
}
