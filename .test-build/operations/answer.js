/** Answers as values; each transport writes them in its own way. */ import { answerTooLarge } from "../errors.js";
/** `value` as the body; what is encoded already goes through `bytes`. */ export const json = (value)=>({
        kind: 'json',
        status: 200,
        value
    });
/** JSON that is encoded already. */ export const bytes = ({ body, headers })=>({
        kind: 'bytes',
        status: 200,
        body,
        headers
    });
export const data = (value)=>json({
        data: value
    });
/** Success without data, or with more beside it. */ export const ok = (message, more = {})=>json({
        status: 'ok',
        message,
        ...more
    });
/** 201 with the address of what has been made. */ export const created = (location, message, value)=>({
        kind: 'json',
        status: 201,
        value: {
            status: 'ok',
            message,
            data: value
        },
        headers: {
            Location: location
        }
    });
export const redirect = (url, headers = {})=>({
        kind: 'redirect',
        url,
        headers
    });
/** Text of another type than JSON. */ export const text = (type, body, headers = {})=>({
        kind: 'text',
        type,
        body,
        headers
    });
/**
 * What a post-hook is given of an answer: plain data, or the whole of a text.
 * @param most bytes of a text @throws 413 when a streamed text is larger
 */ export async function valueOf(answer, most) {
    if (answer.kind === 'json') return answer.value;
    if (answer.kind === 'bytes') return JSON.parse(answer.body.toString());
    if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) return answer.body.toString();
    let whole = '';
    let bytes = 0;
    for await (const piece of answer.body){
        whole += piece;
        bytes += Buffer.byteLength(piece);
        if (bytes > most) throw answerTooLarge(most);
    }
    return whole;
}
