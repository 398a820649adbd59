/** Recovery codes, each of which replaces one code of a user who has lost the authenticator. */
import { randomInt } from 'node:crypto';
import { digest } from '../../auth/credentials/tokens.ts';

const howMany = 10;
/** Digits and letters without those that look alike: 32, so that a character has 5 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits: their plain digest cannot be reversed by search. */
const characters = 16;

/** New codes as shown once, such as `k3f9-0a2m-x7qp-41zt`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: howMany }, () => {
    const text = Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('');
    return text.replace(/.{4}(?=.)/g, '$&-');
  });

/** The stored form of a code, however it is spaced and capitalised. */
export const digestOfRecovery = (code: string): string => digest(`recovery code:${plainCode(code)}`);

/** A code without what people add when they type it. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();
