/** What the server writes into the page. */

/** The name of the project (`APP_NAME`). */
export const appName = (): string => metaOf('application-name') ?? 'Dossier';

/** Whether a user has one session at a time (`MAX_SESSIONS`). */
export const isOneSession = (): boolean => metaOf('max-sessions') === '1';

/** The field by which users sign in (`LOGIN_FIELD`). `npm run dev` serves the page without the server's values. */
export function loginField(): string {
  const field = metaOf('login-field') ?? 'email';
  return field.startsWith('{{') ? 'email' : field;
}

/** What a user signs in with. */
export const loginOf = (user: Readonly<Record<string, unknown>>): string => {
  const login = user[loginField()];
  return typeof login === 'string' ? login : '';
};

const metaOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
