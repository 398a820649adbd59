/** Changes in one order, with their positions: by the database's change streams where it has them, else what goes through this server. */ import { makeOwnFeed } from "./own-feed.js";
import { makePositions } from "./positions.js";
import { makeSharedFeed } from "./shared-feed.js";
/**
 * @param secret the shared secret, which seals positions
 * @param shared the database has change streams
 */ export function makeFeed(parts, secret, shared) {
    const all = {
        ...parts,
        positions: makePositions(secret)
    };
    return shared ? makeSharedFeed(all) : makeOwnFeed(all);
}
