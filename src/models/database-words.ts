/** What metrics and traces say of the database, in the words of the semantic conventions of OpenTelemetry. */

/** The name of the system; the embedded store speaks MongoDB's protocol. */
export const databaseSystem = 'mongodb';

/** The code of the database's answer, or the name of the driver's error: both are bounded. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'number' ? String(error.code) : error.name;
}
