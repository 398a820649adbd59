/** Which texts are hashes of passwords, and which of them can be checked. */
import { describe, expect, test } from '@jest/globals';
import { hashFault, isPasswordHash, otherHashFault } from '../../../src/models/password-hashes.ts';

const letters = (count: number): string => 'aB3./'.repeat(20).slice(0, count);
const bcrypt = (start: string): string => `${start}$${letters(53)}`;

describe('hashes of other algorithms', () => {
  test.each([
    ['argon2', `$argon2id$v=19$m=65536,t=3,p=4$${letters(22)}$${letters(43)}`],
    ['argon2', `$argon2i$v=19$m=4096,t=3,p=1$${letters(22)}$${letters(43)}`],
    ['argon2', `$argon2d$m=4096,t=3,p=1$${letters(22)}$${letters(43)}`],
    ['scrypt', `$scrypt$ln=15,r=8,p=1$${letters(22)}$${letters(43)}`],
    ['scrypt', `$7$C6..../....${letters(22)}$${letters(43)}`],
    ['scrypt', `scrypt:32768:8:1$${letters(16)}$${'0f'.repeat(64)}`],
    ['scrypt', `scrypt$16384$salt$8$1$64$${letters(88)}`],
    ['PBKDF2', `$pbkdf2-sha256$29000$${letters(22)}$${letters(43)}`],
    ['PBKDF2', `pbkdf2_sha256$260000$${letters(22)}$${letters(43)}=`],
    ['PBKDF2', `pbkdf2:sha256:600000$${letters(16)}$${'0f'.repeat(32)}`],
    ['crypt', `$1$${letters(8)}$${letters(22)}`],
    ['crypt', `$5$rounds=5000$${letters(16)}$${letters(43)}`],
    ['crypt', `$6$${letters(16)}$${letters(86)}`],
    ['crypt', `$y$j9T$${letters(22)}$${letters(43)}`],
    ['phpass', `$P$B${letters(30)}`],
  ])('%s: %s', (name, hash) => {
    expect(otherHashFault(hash)).toBe(`is a hash of ${name}, which cannot be checked here`);
    expect(hashFault(hash)).toMatch(/: only bcrypt hashes .* with a cost of 4 to 15 can be taken over$/);
    expect(isPasswordHash(hash)).toBe(false);
  });
});

test.each(['$2b$16', '$2b$03', '$2x$10', '$2$10'])('a bcrypt hash of another version or cost: %s', (start) => {
  expect(hashFault(bcrypt(start))).toMatch(/^is a bcrypt hash of another version or cost: /);
  expect([otherHashFault(bcrypt(start)), isPasswordHash(bcrypt(start))]).toEqual([undefined, false]);
});

test.each(['$2a$04', '$2b$10', '$2y$15'])('a bcrypt hash that can be checked: %s', (start) => {
  expect([hashFault(bcrypt(start)), isPasswordHash(bcrypt(start))]).toEqual([undefined, true]);
});

test.each(['', 'a long password', '$1$', '$argon', '$5 and 10$', '$2b$10$short', 'scrypt is a hash', 'pbkdf2', '$P$B'])(
  'a password: %j',
  (text) => expect(hashFault(text)).toBeUndefined(),
);
