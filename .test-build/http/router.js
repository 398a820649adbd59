/** Operations → an Express router: `Allow` for wrong methods, no HEAD of a GET that writes; an operation twice stops the start. */ import { Router } from 'express';
import { wrongMethod } from "../errors.js";
import { handler } from "./handler.js";
const noStore = (_req, res, next)=>{
    res.setHeader('Cache-Control', 'no-store');
    next();
};
export function routerOf(groups, services) {
    const router = Router({
        caseSensitive: false
    });
    const methods = new Map();
    const withoutHead = new Set();
    const allowedOf = (path)=>{
        const allowed = methods.get(path) ?? [];
        return allowed.includes('GET') && !withoutHead.has(path) ? [
            ...allowed,
            'HEAD'
        ] : allowed;
    };
    const refuse = (path)=>({ method })=>{
            throw wrongMethod(method, allowedOf(path));
        };
    for (const { operations, secret } of groups)for (const operation of operations){
        const { method, path } = operation.http;
        const allowed = methods.get(path) ?? [];
        if (allowed.includes(method)) throw new Error(`${method} ${path} is there twice`);
        methods.set(path, [
            ...allowed,
            method
        ]);
        if (method === 'GET' && operation.effect === 'write') {
            withoutHead.add(path);
            // Express would answer it as a GET
            router.head(path, refuse(path));
        }
        const verb = method.toLowerCase();
        router[verb](path, ...secret === true ? [
            noStore
        ] : [], handler(operation, services));
    }
    for (const path of methods.keys())router.all(path, refuse(path));
    return router;
}
