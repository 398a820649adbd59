/** The nonce of this answer, which the styles that the page writes carry. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
