/** What the server writes into the page. */

/** The name of the project (`APP_NAME`). */
export const appName = (): string => metaOf('application-name') ?? 'Dossier';

/** Whether a user has one session at a time (`MAX_SESSIONS`). */
export const isOneSession = (): boolean => metaOf('max-sessions') === '1';

const metaOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
