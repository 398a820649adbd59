/** What counts as an email address: the one rule for everything that sets, reads or mails one. */ import addressparser from 'nodemailer/lib/addressparser';
/** What `isEmail` asks for, to follow the name of a field. */ export const emailRule = 'must be one email address, such as ann@example.com';
/** Characters of a whole address (RFC 5321, 4.5.3.1.3, less the angle brackets). */ const maxLength = 254;
/** Control and format characters, lone surrogates, white space, and what a header could take for more than an address. */ const forbidden = /[\p{Cc}\p{Cf}\p{Cs}\s,;:<>()[\]"\\]/u;
const parts = /^[^@]+@[^@.]+(\.[^@.]+)*$/;
/** Emails are stored and compared trimmed and in lower case. */ export const plainEmail = (email)=>email.trim().toLowerCase();
/** Whether a text is exactly one address, without a display name, which the mailer reads as it stands. */ export function isEmail(text) {
    if (text.length > maxLength || forbidden.test(text) || !parts.test(text)) return false;
    const [only, ...more] = addressparser(text, {
        flatten: true
    });
    return more.length === 0 && only?.address === text && only.name === '';
}
