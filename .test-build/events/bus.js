/** Publish and subscribe inside one server: writers tell what they changed, caches, sessions and subscribers hear it. */ import { makeListeners } from "./listeners.js";
export function makeBus(log) {
    const changes = makeListeners(log, 'a listener of changes failed');
    const touches = makeListeners(log, 'a listener of touched models failed');
    const interests = new Set();
    return {
        publish: changes.tell,
        subscribe (listener, hears) {
            const remove = changes.add(listener);
            if (hears === undefined) return remove;
            interests.add(hears);
            return ()=>{
                interests.delete(hears);
                remove();
            };
        },
        wantsBefore: (model)=>[
                ...interests
            ].some((hears)=>hears(model)),
        touched: touches.tell,
        onTouched: touches.add
    };
}
