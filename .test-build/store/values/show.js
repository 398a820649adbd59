/** A value as an error message shows it, cut short. */ import { EJSON } from 'bson';
const longest = 200;
/** A value as short text. */ export function show(value) {
    const text = EJSON.stringify(value, {
        relaxed: true
    }) ?? 'missing';
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
