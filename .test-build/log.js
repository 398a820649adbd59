/** The log: JSON lines by pino. Nothing is logged that could hold a secret: addresses without their query string, no bodies, no headers. */ import { types } from 'node:util';
import { pino } from 'pino';
export function makeLog(level, target) {
    const options = {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: {
            level: (label)=>({
                    level: label
                })
        }
    };
    const logger = pino(options, target ?? standardOutput());
    return {
        request: ({ id, method, path, status, ms, user, probe })=>{
            const level = probe === true && status < 400 ? 'debug' : 'info';
            const line = {
                id,
                method,
                path: readable(path),
                status,
                ms,
                ...user === undefined ? {} : {
                    user
                }
            };
            logger[level](line, 'request');
        },
        failed: ({ id, method, path, error })=>logger.error({
                id,
                method,
                path: readable(path),
                err: told(error)
            }, 'failed'),
        info: (message, more = {})=>logger.info(more, message),
        warn: (message, more = {})=>logger.warn(more, message),
        error: (message, error)=>logger.error(error === undefined ? {} : {
                err: told(error)
            }, message)
    };
}
/** Lines of one turn of the event loop go out in one write. A reader that has gone away stops the lines, not the server. */ function standardOutput() {
    const { stdout } = process;
    if (stdout.listenerCount('error') === 0) stdout.on('error', ()=>undefined);
    let lines = '';
    const flush = ()=>{
        stdout.write(lines);
        lines = '';
    };
    return {
        write (line) {
            if (lines === '') setImmediate(flush);
            lines += line;
        }
    };
}
/** A path without its query string and fragment (which may hold keys), also where they are encoded, on one line, cut where it is too long. */ function readable(path) {
    const end = path.search(/[?;&#]|%(3f|3b|26|23)/i);
    return (end === -1 ? path : path.slice(0, end)).slice(0, 300).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}
/** Also an error of another realm, such as one that a model's code threw. */ const isError = (error)=>error instanceof Error || types.isNativeError(error);
/** An error with its stack and causes, by name and message only: other fields may hold documents. */ function told(error) {
    if (!isError(error)) return {
        name: 'NotAnError',
        message: typeof error
    };
    const cause = error.cause === undefined ? {} : {
        cause: told(error.cause)
    };
    return {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...cause
    };
}
