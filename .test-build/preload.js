/**
 * What a preload (`node --import`) changes in servers that start after it in the same process. The preload cannot reach the server by
 * an argument, so it leaves this object at a symbol of the global object.
 */ /** A model that is served, as a preload sees it. */ const key = Symbol.for('dossier.preload');
/** The preload of this process; undefined without one. */ export const preload = ()=>globalThis[key];
export const setPreload = (given)=>void (globalThis[key] = given);
