/** A request's body as bytes: decompressed, of at most the allowed size. What is beyond it is never read. */ import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { badRequest, bodyTooLarge, wrongContentType } from "../errors.js";
const decompressors = new Map([
    [
        'gzip',
        createGunzip
    ],
    [
        'deflate',
        createInflate
    ],
    [
        'br',
        createBrotliDecompress
    ]
]);
/** @param most bytes, also after decompression @throws 400 for a broken body, 413 for one too large, 415 for an unknown encoding */ export async function readBytes(req, most) {
    if (Number(req.headers['content-length'] ?? 0) > most) throw bodyTooLarge(most);
    const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
    if (encoding === 'identity') return collect(req, req, most);
    const decompressor = decompressors.get(encoding)?.();
    if (decompressor === undefined) throw wrongContentType('this content encoding is not supported');
    try {
        return await collect(req.pipe(decompressor), req, most);
    } finally{
        req.unpipe(decompressor);
        decompressor.destroy();
    }
}
function collect(stream, req, most) {
    return new Promise((done, failed)=>{
        const pieces = [];
        let length = 0;
        stream.on('data', (piece)=>{
            length += piece.length;
            if (length <= most) pieces.push(piece);
            else fail(bodyTooLarge(most));
        });
        stream.once('end', ()=>done(Buffer.concat(pieces, length)));
        stream.on('error', ()=>fail(badRequest('the body is not well encoded')));
        req.once('close', ()=>req.complete || fail(badRequest('the request ended too early')));
        const fail = (failure)=>{
            stream.removeAllListeners('data');
            req.pause();
            failed(failure);
        };
    });
}
