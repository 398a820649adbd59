/** What a bulk write answers with: how many documents were touched, and the ids of new ones by the operation's place. */ export const noCounts = ()=>({
        ok: 1,
        nInserted: 0,
        nMatched: 0,
        nModified: 0,
        nRemoved: 0,
        nUpserted: 0,
        insertedIds: {},
        upsertedIds: {}
    });
