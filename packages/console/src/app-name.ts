/** The name of the project (`APP_NAME`), which the server writes into the page. */
export const appName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? 'Dossier';
