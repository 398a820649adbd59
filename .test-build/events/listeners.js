/** Listeners that cannot disturb one another, nor the one who tells them. */ /** @param failed what the log says when one of them fails */ export function makeListeners(log, failed) {
    const listeners = new Set();
    return {
        get any () {
            return listeners.size > 0;
        },
        tell (news) {
            for (const listener of listeners){
                try {
                    listener(news);
                } catch (error) {
                    log.error(failed, error);
                }
            }
        },
        add (listener) {
            const own = (news)=>listener(news);
            listeners.add(own);
            return ()=>void listeners.delete(own);
        }
    };
}
