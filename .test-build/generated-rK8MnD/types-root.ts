export interface paths {
    "/api/author/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document */
        get: operations["documents.get.author"];
        /** Changes the given fields */
        put: operations["documents.change.author"];
        post?: never;
        /** Deletes a document, softly by default */
        delete: operations["documents.delete.author"];
        options?: never;
        head?: never;
        /** Changes fields, by operators, a merge patch or a JSON Patch */
        patch: operations["documents.patch.author"];
        trace?: never;
    };
    "/api/book/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document */
        get: operations["documents.get.book"];
        /** Changes the given fields */
        put: operations["documents.change.book"];
        post?: never;
        /** Deletes a document, softly by default */
        delete: operations["documents.delete.book"];
        options?: never;
        head?: never;
        /** Changes fields, by operators, a merge patch or a JSON Patch */
        patch: operations["documents.patch.book"];
        trace?: never;
    };
    "/api/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document */
        get: operations["documents.get.job"];
        /** Changes the given fields */
        put: operations["documents.change.job"];
        post?: never;
        /** Deletes a document, softly by default */
        delete: operations["documents.delete.job"];
        options?: never;
        head?: never;
        /** Changes fields, by operators, a merge patch or a JSON Patch */
        patch: operations["documents.patch.job"];
        trace?: never;
    };
    "/api/ledger/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document */
        get: operations["documents.get.ledger"];
        /** Changes the given fields */
        put: operations["documents.change.ledger"];
        post?: never;
        /** Deletes a document, softly by default */
        delete: operations["documents.delete.ledger"];
        options?: never;
        head?: never;
        /** Changes fields, by operators, a merge patch or a JSON Patch */
        patch: operations["documents.patch.ledger"];
        trace?: never;
    };
    "/api/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document */
        get: operations["documents.get.user"];
        /** Changes the given fields */
        put: operations["documents.change.user"];
        post?: never;
        /** Deletes a document, softly by default */
        delete: operations["documents.delete.user"];
        options?: never;
        head?: never;
        /** Changes fields, by operators, a merge patch or a JSON Patch */
        patch: operations["documents.patch.user"];
        trace?: never;
    };
    "/api/author": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents */
        get: operations["documents.list.author"];
        /** Creates a document, or changes the one with the same unique values */
        put: operations["documents.upsert.author"];
        /** Creates a document */
        post: operations["documents.create.author"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents */
        get: operations["documents.list.book"];
        /** Creates a document, or changes the one with the same unique values */
        put: operations["documents.upsert.book"];
        /** Creates a document */
        post: operations["documents.create.book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents */
        get: operations["documents.list.job"];
        /** Creates a document, or changes the one with the same unique values */
        put: operations["documents.upsert.job"];
        /** Creates a document */
        post: operations["documents.create.job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents */
        get: operations["documents.list.ledger"];
        /** Creates a document, or changes the one with the same unique values */
        put: operations["documents.upsert.ledger"];
        /** Creates a document */
        post: operations["documents.create.ledger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents */
        get: operations["documents.list.user"];
        /** Creates a document, or changes the one with the same unique values */
        put: operations["documents.upsert.user"];
        /** Creates a document */
        post: operations["documents.create.user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/update/author/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Loads, changes and saves a document */
        put: operations["documents.save.author"];
        /** Loads, changes and saves a document, as PUT does */
        post: operations["documents.saveByPost.author"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/update/book/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Loads, changes and saves a document */
        put: operations["documents.save.book"];
        /** Loads, changes and saves a document, as PUT does */
        post: operations["documents.saveByPost.book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/update/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Loads, changes and saves a document */
        put: operations["documents.save.job"];
        /** Loads, changes and saves a document, as PUT does */
        post: operations["documents.saveByPost.job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/update/ledger/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Loads, changes and saves a document */
        put: operations["documents.save.ledger"];
        /** Loads, changes and saves a document, as PUT does */
        post: operations["documents.saveByPost.ledger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/update/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Loads, changes and saves a document */
        put: operations["documents.save.user"];
        /** Loads, changes and saves a document, as PUT does */
        post: operations["documents.saveByPost.user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/count/author": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts documents */
        get: operations["documents.count.author"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/count/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts documents */
        get: operations["documents.count.book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/count/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts documents */
        get: operations["documents.count.job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/count/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts documents */
        get: operations["documents.count.ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/count/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts documents */
        get: operations["documents.count.user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distinct/author/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the values of a field, the most frequent first */
        get: operations["documents.distinct.author"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distinct/book/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the values of a field, the most frequent first */
        get: operations["documents.distinct.book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distinct/job/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the values of a field, the most frequent first */
        get: operations["documents.distinct.job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distinct/ledger/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the values of a field, the most frequent first */
        get: operations["documents.distinct.ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distinct/user/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the values of a field, the most frequent first */
        get: operations["documents.distinct.user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs several writes, all or nothing */
        post: operations["batch.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query/author": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists documents by a filter in the body */
        post: operations["documents.query.author"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists documents by a filter in the body */
        post: operations["documents.query.book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists documents by a filter in the body */
        post: operations["documents.query.job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists documents by a filter in the body */
        post: operations["documents.query.ledger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists documents by a filter in the body */
        post: operations["documents.query.user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aggregate/author": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs an aggregation pipeline */
        post: operations["documents.aggregate.author"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aggregate/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs an aggregation pipeline */
        post: operations["documents.aggregate.book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aggregate/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs an aggregation pipeline */
        post: operations["documents.aggregate.job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aggregate/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs an aggregation pipeline */
        post: operations["documents.aggregate.ledger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aggregate/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs an aggregation pipeline */
        post: operations["documents.aggregate.user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/author": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents as comma-separated text */
        get: operations["documents.export.author"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents as comma-separated text */
        get: operations["documents.export.book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents as comma-separated text */
        get: operations["documents.export.job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents as comma-separated text */
        get: operations["documents.export.ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists documents as comma-separated text */
        get: operations["documents.export.user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the models */
        get: operations["models.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes a model */
        get: operations["models.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model/{name}/rights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what the caller may do with a model, its fields, or one document */
        get: operations["models.rights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cache/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Statistics of the cache */
        get: operations["cache.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cache/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Empties the cache */
        get: operations["cache.clear"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the settings that differ from their defaults, without secrets */
        get: operations["server.settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the sizes of the models in the database */
        get: operations["server.storage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bulkwrite/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs many write operations */
        post: operations["documents.bulkWrite.job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/job/twice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls a function with the query string */
        get: operations["functions.callByQuery.job.twice"];
        put?: never;
        /** Calls a function with the body */
        post: operations["functions.call.job.twice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/job/{id}/twice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls a function for a document with the query string */
        get: operations["functions.callForDocumentByQuery.job.twice"];
        put?: never;
        /** Calls a function for a document */
        post: operations["functions.callForDocument.job.twice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/author": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes as they happen */
        get: operations["events.subscribe.author"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes as they happen */
        get: operations["events.subscribe.book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes as they happen */
        get: operations["events.subscribe.job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes as they happen */
        get: operations["events.subscribe.ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes as they happen */
        get: operations["events.subscribe.user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/author/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes of one document */
        get: operations["events.subscribeToDocument.author"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/book/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes of one document */
        get: operations["events.subscribeToDocument.book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes of one document */
        get: operations["events.subscribeToDocument.job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/ledger/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes of one document */
        get: operations["events.subscribeToDocument.ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes of one document */
        get: operations["events.subscribeToDocument.user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verifies an email by the JWT of a mail, and signs in */
        post: operations["account.verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/verify/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a mail with a link to verify the caller's email */
        post: operations["account.sendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in by email and password */
        post: operations["sessions.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in by a ticket of a login and a code of the second factor */
        post: operations["sessions.loginByCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges a refresh token for new tokens */
        post: operations["sessions.refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges a refresh token for new tokens, as /refresh does */
        post: operations["sessions.refreshByLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs out */
        get: operations["sessions.logoutByLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs out, as /login/logout does */
        get: operations["sessions.logout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/apikey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a new API key */
        post: operations["account.renewApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/getjwt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a JWT that signs in through a URL */
        post: operations["sessions.createJwt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/jwt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in by a JWT */
        post: operations["sessions.loginByJwt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes the caller and their credential */
        get: operations["caller.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's sessions */
        get: operations["sessions.list"];
        put?: never;
        post?: never;
        /** Ends all sessions of the caller but the current one */
        delete: operations["sessions.endAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a session */
        delete: operations["sessions.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's named keys */
        get: operations["keys.list"];
        put?: never;
        /** Creates a named key, which is shown once */
        post: operations["keys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a named key */
        delete: operations["keys.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces the secret of a named key */
        post: operations["keys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a ticket, which opens one event stream or WebSocket within a minute */
        post: operations["tickets.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a mail with a link to set a new password */
        post: operations["account.recoverPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new password by the JWT of the mail */
        post: operations["account.resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes the caller's password */
        post: operations["account.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the caller's email */
        put: operations["account.changeEmail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Switches the second factor on by a code of the new secret */
        put: operations["factor.confirm"];
        /** Creates a secret for an authenticator app */
        post: operations["factor.prepare"];
        /** Switches a second factor off */
        delete: operations["factor.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oauth/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the browser to the provider */
        get: operations["oauth.start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oauth/callback/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the browser to success_uri or fail_uri */
        get: operations["oauth.finish"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the groups of a user */
        get: operations["groups.get"];
        /** Adds a user to groups */
        put: operations["groups.add"];
        /** Replaces the groups of a user */
        post: operations["groups.replace"];
        /** Removes a user from groups */
        delete: operations["groups.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks whether setup is needed */
        get: operations["setup.status"];
        put?: never;
        /** Creates the first admin */
        post: operations["setup.createAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/setup/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Inserts documents of several models */
        post: operations["setup.insertData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the events of the audit log */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks that the process is running */
        get: operations["health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks that the database responds */
        get: operations["health.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        _failure: {
            /** @constant */
            status: "fail";
            /** @description The kind of failure */
            message: string;
            /** @description The reason */
            err: string;
            errors?: {
                path: string;
                kind: string;
                message: string;
            }[];
            /** @description The operation of a bulk write that failed */
            index?: number;
            /** @description The operation of a batch that failed */
            operation?: number;
            data?: {
                /** @constant */
                ok: 1;
                nInserted: number;
                nMatched: number;
                nModified: number;
                nRemoved: number;
                nUpserted: number;
                insertedIds: {
                    [key: string]: string;
                };
                upsertedIds: {
                    [key: string]: string;
                };
            };
            /** @description For POST /login/code: the password is right, and a second factor is needed */
            ticket?: string;
            /**
             * Format: uuid
             * @description Identifies an error of the server in its log
             */
            request_id?: string;
        };
        _model: {
            name: string;
            collection: string;
            fields: {
                [key: string]: {
                    type: string;
                    required: boolean;
                    unique: boolean;
                    index: boolean;
                    array: boolean;
                    enum?: unknown[];
                    min?: number | string;
                    max?: number | string;
                    minlength?: number;
                    maxlength?: number;
                    match?: {
                        pattern: string;
                        flags: string;
                    };
                    /** @constant */
                    trim?: true;
                    /** @constant */
                    lowercase?: true;
                    /** @constant */
                    uppercase?: true;
                    /** @description A value of the type */
                    default?: unknown;
                    link?: string;
                    map_to?: string;
                    reverse?: string;
                    perms?: {
                        [key: string]: string;
                    };
                };
            };
            perms: {
                [key: string]: string;
            };
            indexes: {
                fields: {
                    [key: string]: 1 | -1 | "text" | "hashed" | "2d" | "2dsphere";
                };
                unique?: boolean;
                sparse?: boolean;
                expireAfterSeconds?: number;
            }[];
            callable_statics: {
                [key: string]: ("c" | "r" | "u" | "d") | {
                    /** @enum {unknown} */
                    needs: "c" | "r" | "u" | "d";
                    /** @enum {unknown} */
                    on: "document" | "model";
                };
            };
            query_limits: {
                large_collection_threshold?: number;
                max?: number;
                default?: number;
            };
            advanced_queries: {
                query: boolean;
                aggregate: boolean;
                bulkwrite: boolean;
            };
            reverses?: {
                [key: string]: {
                    model: string;
                    path: string;
                };
            };
            rules?: {
                [key: string]: {
                    [key: string]: Record<string, never>;
                };
            };
        };
        _stage: {
            /** @description keeps the documents that match a filter */
            $match?: {
                [key: string]: unknown;
            };
            /** @description one document for each value of _id, with accumulators */
            $group?: {
                [key: string]: unknown;
            };
            /** @description joins documents of another model */
            $lookup?: {
                from?: unknown;
                localField?: unknown;
                foreignField?: unknown;
                let?: unknown;
                pipeline?: components["schemas"]["_stage"][];
                as?: unknown;
            };
            /** @description joins documents of another model step by step */
            $graphLookup?: {
                from?: unknown;
                startWith?: unknown;
                connectFromField?: unknown;
                connectToField?: unknown;
                as?: unknown;
                maxDepth?: unknown;
                depthField?: unknown;
                restrictSearchWithMatch?: unknown;
            };
            /** @description adds the documents of another model */
            $unionWith?: string | {
                coll?: unknown;
                pipeline?: components["schemas"]["_stage"][];
            };
            /** @description shows, hides or computes fields */
            $project?: {
                [key: string]: unknown;
            };
            /** @description orders by at most 10 fields */
            $sort?: {
                [key: string]: unknown;
            };
            /** @description the first documents */
            $limit?: number;
            /** @description all but the first documents */
            $skip?: number;
            /** @description one document for each member of a list */
            $unwind?: string | {
                path?: unknown;
                includeArrayIndex?: unknown;
                preserveNullAndEmptyArrays?: unknown;
            };
            /** @description adds fields */
            $addFields?: {
                [key: string]: unknown;
            };
            /** @description the same as $addFields */
            $set?: {
                [key: string]: unknown;
            };
            /** @description removes fields */
            $unset?: string | string[];
            /** @description the number of documents */
            $count?: string;
            /** @description several pipelines over the same documents */
            $facet?: {
                [key: string]: components["schemas"]["_stage"][];
            };
            /** @description groups by given boundaries */
            $bucket?: {
                groupBy?: unknown;
                boundaries?: unknown;
                default?: unknown;
                output?: unknown;
            };
            /** @description groups into a number of buckets */
            $bucketAuto?: {
                groupBy?: unknown;
                buckets?: unknown;
                output?: unknown;
                granularity?: unknown;
            };
            /** @description random documents */
            $sample?: {
                size?: unknown;
            };
            /** @description groups by a value and orders by the number of documents */
            $sortByCount?: unknown;
            /** @description replaces each document by a part of it */
            $replaceRoot?: {
                newRoot?: unknown;
            };
            /** @description the same as $replaceRoot */
            $replaceWith?: unknown;
            /** @description keeps, prunes or descends by an expression */
            $redact?: unknown;
            /** @description computes over neighbouring documents */
            $setWindowFields?: {
                partitionBy?: unknown;
                sortBy?: unknown;
                output?: unknown;
            };
            /** @description adds documents where a sequence has gaps */
            $densify?: {
                field?: unknown;
                partitionByFields?: unknown;
                range?: unknown;
            };
            /** @description fills in values that are missing */
            $fill?: {
                partitionBy?: unknown;
                partitionByFields?: unknown;
                sortBy?: unknown;
                output?: unknown;
            };
            /** @description replaces a collection by the result; admins only */
            $out?: unknown;
            /** @description writes the result into a collection; admins only */
            $merge?: string | {
                into?: unknown;
                on?: unknown;
                whenMatched?: unknown;
                whenNotMatched?: unknown;
            };
        };
        /** author */
        author: {
            name?: string | null;
            _id: string;
            _deleted?: boolean;
            /** @description Links to user */
            _owner_id?: string | null;
            /** @description Links to user */
            _updated_by_id?: string | null;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            __v?: number;
            /** @description user, when populated */
            _owner?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            /** @description user, when populated */
            _updated_by?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            id: string;
        };
        /** author to create */
        "author.create": {
            name?: string | null;
        };
        /** author to change */
        "author.change": {
            name?: string | null;
            _deleted?: boolean;
        };
        /** book */
        book: {
            title?: string | null;
            price?: number | null;
            /** Format: date-time */
            published?: string | null;
            tags?: (string | null)[] | null;
            /** @description Links to author */
            author_id?: string | null;
            _id: string;
            _deleted?: boolean;
            /** @description Links to user */
            _owner_id?: string | null;
            /** @description Links to user */
            _updated_by_id?: string | null;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            __v?: number;
            /** @description author, when populated */
            author?: components["schemas"]["author"] | null;
            /** @description user, when populated */
            _owner?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            /** @description user, when populated */
            _updated_by?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            id: string;
        };
        /** book to create */
        "book.create": {
            title?: string | null;
            price?: number | null;
            /** Format: date-time */
            published?: string | null;
            tags?: (string | null)[] | null;
            /** @description Links to author */
            author_id?: string | null;
        };
        /** book to change */
        "book.change": {
            title?: string | null;
            price?: number | null;
            /** Format: date-time */
            published?: string | null;
            tags?: (string | null)[] | null;
            /** @description Links to author */
            author_id?: string | null;
            _deleted?: boolean;
        };
        /** job */
        job: {
            runs?: number;
            _id: string;
            _deleted?: boolean;
            /** @description Links to user */
            _owner_id?: string | null;
            /** @description Links to user */
            _updated_by_id?: string | null;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            __v?: number;
            /** @description user, when populated */
            _owner?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            /** @description user, when populated */
            _updated_by?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            id: string;
        };
        /** job to create */
        "job.create": {
            runs: number;
        };
        /** job to change */
        "job.change": {
            runs?: number;
            _deleted?: boolean;
        };
        /** ledger */
        ledger: {
            amount?: number | null;
            _id: string;
            _deleted?: boolean;
            /** @description Links to user */
            _owner_id?: string | null;
            /** @description Links to user */
            _updated_by_id?: string | null;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            __v?: number;
            /** @description user, when populated */
            _owner?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            /** @description user, when populated */
            _updated_by?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            id: string;
        };
        /** ledger to create */
        "ledger.create": {
            amount?: number | null;
        };
        /** ledger to change */
        "ledger.change": {
            amount?: number | null;
            _deleted?: boolean;
        };
        /** user */
        user: {
            name?: string | null;
            email?: string;
            email_verified?: boolean | null;
            admin?: boolean | null;
            groups?: (string | null)[] | null;
            _id: string;
            _deleted?: boolean;
            /** @description Links to user */
            _owner_id?: string | null;
            /** @description Links to user */
            _updated_by_id?: string | null;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            _incarnation?: string | null;
            __v?: number;
            /** @description user, when populated */
            _owner?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            /** @description user, when populated */
            _updated_by?: components["schemas"]["user"] | {
                _id: string;
                name?: string;
            } | null;
            id: string;
        };
        /** user to create */
        "user.create": {
            name?: string | null;
            email: string;
            /** @description Defaults to false */
            email_verified?: boolean | null;
            password?: string | null;
            /** @description Defaults to false */
            admin?: boolean | null;
            /** @description Defaults to [] */
            groups?: (string | null)[] | null;
        };
        /** user to change */
        "user.change": {
            name?: string | null;
            email?: string;
            email_verified?: boolean | null;
            password?: string | null;
            admin?: boolean | null;
            groups?: (string | null)[] | null;
            _deleted?: boolean;
        };
    };
    responses: {
        /** @description The request is invalid: JSON, an id, a value, a parameter, an operator, a limit, or the schema’s validation */
        400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The operation requires signing in, or the credentials of the request are not valid */
        401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The caller is signed in and does not have the right */
        403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The path, model or document does not exist for this caller, or the document is deleted */
        404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The path does not support the method */
        405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The request took too long to arrive */
        408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description A unique value already exists, a test of a JSON Patch failed, or setup is done */
        409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The history no longer reaches back to the requested position, the document is deleted, or the caller may no longer read what a repeated answer shows */
        410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The document has changed since the revision that If-Match names */
        412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The body or the answer is too large */
        413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The body is neither JSON nor a form, or for PATCH no patch */
        415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The Expect header is not 100-continue */
        417: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The Idempotency-Key was sent with another request */
        422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The operation refers to one of the batch that has failed */
        424: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description Too many requests; Retry-After says when to try again */
        429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The URL or the headers are too large */
        431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description An error of the server; request_id identifies it in the log */
        500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description This database cannot do it */
        501: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The database cannot be reached, or the time limit was reached; Retry-After says when to try again */
        503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description The disk of the database is full, or the embedded store has reached one of its limits */
        507: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
        /** @description Any other failure */
        failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["_failure"];
            };
        };
    };
    parameters: {
        /** @description Maximum number of documents in the answer: `limit=<whole number>` */
        limit: number;
        /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
        page: number;
        /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
        after: string;
        /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
        before: string;
        /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
        count: boolean | ("exact" | "capped" | "estimated");
        /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
        sort: string;
        /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
        fields: string;
        /**
         * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
         * @example {}
         */
        filter: {
            [key: string]: string | number | boolean;
        };
        /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
        search: string;
        /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
        populate: string;
        /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
        autopopulate: boolean;
        /** @description Shows soft-deleted documents too: `showDeleted=true` */
        showDeleted: boolean;
        /** @description DELETE: removes permanently: `_permaDelete=1` */
        _permaDelete: boolean;
        /** @description DELETE: also deletes the documents that link to this one: `_cascade=1` */
        _cascade: boolean;
        /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
        _silence: boolean;
        /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
        password_override: boolean;
        /** @description PUT without an id: the fields of a unique index that identify the document: `on=<field>,<field>` */
        on: string;
        /** @description Aggregation may use the disk: `allowDiskUse=true` */
        allowDiskUse: boolean;
        /** @description A group of a user: `group=<name>` */
        group: string;
        /** @description Events after this position: `since=<position>` */
        since: string;
        /** @description The document whose rights are listed: `id=<id>` */
        id: string;
        /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
        user: string;
        /** @description Authenticates the request: `apikey=<key>` */
        apikey: string;
        /** @description Authenticates the request: `jwt=<JWT>` */
        jwt: string;
        /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
        ticket: string;
        /** @description Rows of a page, or `limit=all` for a whole large collection */
        exportLimit: number | "all";
        /**
         * @description The parameters of the function
         * @example {}
         */
        parameters: {
            [key: string]: string | number | boolean;
        };
        /** @description ETags that the caller has: 304 when the document has one of them */
        "If-None-Match": string;
        /** @description ETags on which the change builds: 412 when the document has none of them */
        "If-Match": string;
        /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "documents.get.author": {
        parameters: {
            query?: {
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["author"];
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.change.author": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["author.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.delete.author": {
        parameters: {
            query?: {
                /** @description DELETE: removes permanently: `_permaDelete=1` */
                _permaDelete?: components["parameters"]["_permaDelete"];
                /** @description DELETE: also deletes the documents that link to this one: `_cascade=1` */
                _cascade?: components["parameters"]["_cascade"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        deleted: {
                            [key: string]: number;
                        };
                        unlinked: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.patch.author": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["author.change"] | ({
                    /** @description sets fields */
                    $set?: {
                        [key: string]: unknown;
                    };
                    /** @description sets fields of a document that an upsert creates */
                    $setOnInsert?: {
                        [key: string]: unknown;
                    };
                    /** @description removes fields */
                    $unset?: {
                        [key: string]: unknown;
                    };
                    /** @description adds a number */
                    $inc?: {
                        [key: string]: unknown;
                    };
                    /** @description multiplies by a number */
                    $mul?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is smaller */
                    $min?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is larger */
                    $max?: {
                        [key: string]: unknown;
                    };
                    /** @description appends to a list; supports $each, $slice, $sort and $position */
                    $push?: {
                        [key: string]: unknown;
                    };
                    /** @description appends values that the list does not contain; supports $each */
                    $addToSet?: {
                        [key: string]: unknown;
                    };
                    /** @description removes a value, or each value of $in, from a list */
                    $pull?: {
                        [key: string]: unknown;
                    };
                    /** @description removes the last (1) or first (-1) member of a list */
                    $pop?: {
                        [key: string]: unknown;
                    };
                    /** @description renames a field */
                    $rename?: {
                        [key: string]: unknown;
                    };
                    /** @description sets the current time */
                    $currentDate?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                });
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
                "application/json-patch+json": {
                    /** @enum {unknown} */
                    op: "add" | "remove" | "replace" | "move" | "copy" | "test";
                    path: string;
                    from?: string;
                    value?: unknown;
                }[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.get.book": {
        parameters: {
            query?: {
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["book"];
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.change.book": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["book.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.delete.book": {
        parameters: {
            query?: {
                /** @description DELETE: removes permanently: `_permaDelete=1` */
                _permaDelete?: components["parameters"]["_permaDelete"];
                /** @description DELETE: also deletes the documents that link to this one: `_cascade=1` */
                _cascade?: components["parameters"]["_cascade"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        deleted: {
                            [key: string]: number;
                        };
                        unlinked: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.patch.book": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["book.change"] | ({
                    /** @description sets fields */
                    $set?: {
                        [key: string]: unknown;
                    };
                    /** @description sets fields of a document that an upsert creates */
                    $setOnInsert?: {
                        [key: string]: unknown;
                    };
                    /** @description removes fields */
                    $unset?: {
                        [key: string]: unknown;
                    };
                    /** @description adds a number */
                    $inc?: {
                        [key: string]: unknown;
                    };
                    /** @description multiplies by a number */
                    $mul?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is smaller */
                    $min?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is larger */
                    $max?: {
                        [key: string]: unknown;
                    };
                    /** @description appends to a list; supports $each, $slice, $sort and $position */
                    $push?: {
                        [key: string]: unknown;
                    };
                    /** @description appends values that the list does not contain; supports $each */
                    $addToSet?: {
                        [key: string]: unknown;
                    };
                    /** @description removes a value, or each value of $in, from a list */
                    $pull?: {
                        [key: string]: unknown;
                    };
                    /** @description removes the last (1) or first (-1) member of a list */
                    $pop?: {
                        [key: string]: unknown;
                    };
                    /** @description renames a field */
                    $rename?: {
                        [key: string]: unknown;
                    };
                    /** @description sets the current time */
                    $currentDate?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                });
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
                "application/json-patch+json": {
                    /** @enum {unknown} */
                    op: "add" | "remove" | "replace" | "move" | "copy" | "test";
                    path: string;
                    from?: string;
                    value?: unknown;
                }[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.get.job": {
        parameters: {
            query?: {
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["job"];
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.change.job": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["job.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.delete.job": {
        parameters: {
            query?: {
                /** @description DELETE: removes permanently: `_permaDelete=1` */
                _permaDelete?: components["parameters"]["_permaDelete"];
                /** @description DELETE: also deletes the documents that link to this one: `_cascade=1` */
                _cascade?: components["parameters"]["_cascade"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        deleted: {
                            [key: string]: number;
                        };
                        unlinked: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.patch.job": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["job.change"] | ({
                    /** @description sets fields */
                    $set?: {
                        [key: string]: unknown;
                    };
                    /** @description sets fields of a document that an upsert creates */
                    $setOnInsert?: {
                        [key: string]: unknown;
                    };
                    /** @description removes fields */
                    $unset?: {
                        [key: string]: unknown;
                    };
                    /** @description adds a number */
                    $inc?: {
                        [key: string]: unknown;
                    };
                    /** @description multiplies by a number */
                    $mul?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is smaller */
                    $min?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is larger */
                    $max?: {
                        [key: string]: unknown;
                    };
                    /** @description appends to a list; supports $each, $slice, $sort and $position */
                    $push?: {
                        [key: string]: unknown;
                    };
                    /** @description appends values that the list does not contain; supports $each */
                    $addToSet?: {
                        [key: string]: unknown;
                    };
                    /** @description removes a value, or each value of $in, from a list */
                    $pull?: {
                        [key: string]: unknown;
                    };
                    /** @description removes the last (1) or first (-1) member of a list */
                    $pop?: {
                        [key: string]: unknown;
                    };
                    /** @description renames a field */
                    $rename?: {
                        [key: string]: unknown;
                    };
                    /** @description sets the current time */
                    $currentDate?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                });
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
                "application/json-patch+json": {
                    /** @enum {unknown} */
                    op: "add" | "remove" | "replace" | "move" | "copy" | "test";
                    path: string;
                    from?: string;
                    value?: unknown;
                }[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.get.ledger": {
        parameters: {
            query?: {
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ledger"];
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.change.ledger": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ledger.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.delete.ledger": {
        parameters: {
            query?: {
                /** @description DELETE: removes permanently: `_permaDelete=1` */
                _permaDelete?: components["parameters"]["_permaDelete"];
                /** @description DELETE: also deletes the documents that link to this one: `_cascade=1` */
                _cascade?: components["parameters"]["_cascade"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        deleted: {
                            [key: string]: number;
                        };
                        unlinked: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.patch.ledger": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ledger.change"] | ({
                    /** @description sets fields */
                    $set?: {
                        [key: string]: unknown;
                    };
                    /** @description sets fields of a document that an upsert creates */
                    $setOnInsert?: {
                        [key: string]: unknown;
                    };
                    /** @description removes fields */
                    $unset?: {
                        [key: string]: unknown;
                    };
                    /** @description adds a number */
                    $inc?: {
                        [key: string]: unknown;
                    };
                    /** @description multiplies by a number */
                    $mul?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is smaller */
                    $min?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is larger */
                    $max?: {
                        [key: string]: unknown;
                    };
                    /** @description appends to a list; supports $each, $slice, $sort and $position */
                    $push?: {
                        [key: string]: unknown;
                    };
                    /** @description appends values that the list does not contain; supports $each */
                    $addToSet?: {
                        [key: string]: unknown;
                    };
                    /** @description removes a value, or each value of $in, from a list */
                    $pull?: {
                        [key: string]: unknown;
                    };
                    /** @description removes the last (1) or first (-1) member of a list */
                    $pop?: {
                        [key: string]: unknown;
                    };
                    /** @description renames a field */
                    $rename?: {
                        [key: string]: unknown;
                    };
                    /** @description sets the current time */
                    $currentDate?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                });
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
                "application/json-patch+json": {
                    /** @enum {unknown} */
                    op: "add" | "remove" | "replace" | "move" | "copy" | "test";
                    path: string;
                    from?: string;
                    value?: unknown;
                }[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.get.user": {
        parameters: {
            query?: {
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["user"];
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.change.user": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["user.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.delete.user": {
        parameters: {
            query?: {
                /** @description DELETE: removes permanently: `_permaDelete=1` */
                _permaDelete?: components["parameters"]["_permaDelete"];
                /** @description DELETE: also deletes the documents that link to this one: `_cascade=1` */
                _cascade?: components["parameters"]["_cascade"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        deleted: {
                            [key: string]: number;
                        };
                        unlinked: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.patch.user": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["user.change"] | ({
                    /** @description sets fields */
                    $set?: {
                        [key: string]: unknown;
                    };
                    /** @description sets fields of a document that an upsert creates */
                    $setOnInsert?: {
                        [key: string]: unknown;
                    };
                    /** @description removes fields */
                    $unset?: {
                        [key: string]: unknown;
                    };
                    /** @description adds a number */
                    $inc?: {
                        [key: string]: unknown;
                    };
                    /** @description multiplies by a number */
                    $mul?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is smaller */
                    $min?: {
                        [key: string]: unknown;
                    };
                    /** @description sets when the value is larger */
                    $max?: {
                        [key: string]: unknown;
                    };
                    /** @description appends to a list; supports $each, $slice, $sort and $position */
                    $push?: {
                        [key: string]: unknown;
                    };
                    /** @description appends values that the list does not contain; supports $each */
                    $addToSet?: {
                        [key: string]: unknown;
                    };
                    /** @description removes a value, or each value of $in, from a list */
                    $pull?: {
                        [key: string]: unknown;
                    };
                    /** @description removes the last (1) or first (-1) member of a list */
                    $pop?: {
                        [key: string]: unknown;
                    };
                    /** @description renames a field */
                    $rename?: {
                        [key: string]: unknown;
                    };
                    /** @description sets the current time */
                    $currentDate?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                });
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
                "application/json-patch+json": {
                    /** @enum {unknown} */
                    op: "add" | "remove" | "replace" | "move" | "copy" | "test";
                    path: string;
                    from?: string;
                    value?: unknown;
                }[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.list.author": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["author"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.upsert.author": {
        parameters: {
            query?: {
                /** @description PUT without an id: the fields of a unique index that identify the document: `on=<field>,<field>` */
                on?: components["parameters"]["on"];
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["author.create"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.create.author": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["author.create"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.list.book": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["book"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.upsert.book": {
        parameters: {
            query?: {
                /** @description PUT without an id: the fields of a unique index that identify the document: `on=<field>,<field>` */
                on?: components["parameters"]["on"];
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["book.create"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.create.book": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["book.create"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.list.job": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["job"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.upsert.job": {
        parameters: {
            query?: {
                /** @description PUT without an id: the fields of a unique index that identify the document: `on=<field>,<field>` */
                on?: components["parameters"]["on"];
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["job.create"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.create.job": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["job.create"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.list.ledger": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ledger"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.upsert.ledger": {
        parameters: {
            query?: {
                /** @description PUT without an id: the fields of a unique index that identify the document: `on=<field>,<field>` */
                on?: components["parameters"]["on"];
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ledger.create"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.create.ledger": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ledger.create"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.list.user": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["user"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.upsert.user": {
        parameters: {
            query?: {
                /** @description PUT without an id: the fields of a unique index that identify the document: `on=<field>,<field>` */
                on?: components["parameters"]["on"];
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["user.create"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.create.user": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["user.create"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.save.author": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["author.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.saveByPost.author": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["author.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["author"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.save.book": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["book.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.saveByPost.book": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["book.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["book"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.save.job": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["job.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.saveByPost.job": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["job.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["job"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.save.ledger": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ledger.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.saveByPost.ledger": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ledger.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["ledger"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.save.user": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["user.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.saveByPost.user": {
        parameters: {
            query?: {
                /** @description Stores a given bcrypt hash; admins only: `password_override=1` */
                password_override?: components["parameters"]["password_override"];
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description ETags on which the change builds: 412 when the document has none of them */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["user.change"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data?: components["schemas"]["user"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.count.author": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.count.book": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.count.job": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.count.ledger": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.count.user": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.distinct.author": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description A value of the field */
                            value: unknown;
                            count: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.distinct.book": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description A value of the field */
                            value: unknown;
                            count: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.distinct.job": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description A value of the field */
                            value: unknown;
                            count: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.distinct.ledger": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description A value of the field */
                            value: unknown;
                            count: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.distinct.user": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description A value of the field */
                            value: unknown;
                            count: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "batch.run": {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operations: {
                        method: string;
                        path: string;
                        ref?: string;
                        /** @description As the body of the request */
                        body?: unknown;
                        /** @description If-Match and Content-Type of the request */
                        headers?: Record<string, never>;
                    }[];
                    /** @description false: one after the other, each by itself */
                    atomic?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        data: {
                            status: number;
                            body: Record<string, never>;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            405: components["responses"]["405"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            501: components["responses"]["501"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.query.author": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["author"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.query.book": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["book"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.query.job": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["job"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.query.ledger": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ledger"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.query.user": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["user"][];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.aggregate.author": {
        parameters: {
            query?: {
                /** @description Aggregation may use the disk: `allowDiskUse=true` */
                allowDiskUse?: components["parameters"]["allowDiskUse"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["_stage"][] | {
                    query: components["schemas"]["_stage"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.aggregate.book": {
        parameters: {
            query?: {
                /** @description Aggregation may use the disk: `allowDiskUse=true` */
                allowDiskUse?: components["parameters"]["allowDiskUse"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["_stage"][] | {
                    query: components["schemas"]["_stage"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.aggregate.job": {
        parameters: {
            query?: {
                /** @description Aggregation may use the disk: `allowDiskUse=true` */
                allowDiskUse?: components["parameters"]["allowDiskUse"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["_stage"][] | {
                    query: components["schemas"]["_stage"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.aggregate.ledger": {
        parameters: {
            query?: {
                /** @description Aggregation may use the disk: `allowDiskUse=true` */
                allowDiskUse?: components["parameters"]["allowDiskUse"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["_stage"][] | {
                    query: components["schemas"]["_stage"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.aggregate.user": {
        parameters: {
            query?: {
                /** @description Aggregation may use the disk: `allowDiskUse=true` */
                allowDiskUse?: components["parameters"]["allowDiskUse"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["_stage"][] | {
                    query: components["schemas"]["_stage"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "documents.export.author": {
        parameters: {
            query?: {
                /** @description Rows of a page, or `limit=all` for a whole large collection */
                limit?: components["parameters"]["exportLimit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.export.book": {
        parameters: {
            query?: {
                /** @description Rows of a page, or `limit=all` for a whole large collection */
                limit?: components["parameters"]["exportLimit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.export.job": {
        parameters: {
            query?: {
                /** @description Rows of a page, or `limit=all` for a whole large collection */
                limit?: components["parameters"]["exportLimit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.export.ledger": {
        parameters: {
            query?: {
                /** @description Rows of a page, or `limit=all` for a whole large collection */
                limit?: components["parameters"]["exportLimit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.export.user": {
        parameters: {
            query?: {
                /** @description Rows of a page, or `limit=all` for a whole large collection */
                limit?: components["parameters"]["exportLimit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "models.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["_model"][];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "models.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["_model"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "models.rights": {
        parameters: {
            query?: {
                /** @description The document whose rights are listed: `id=<id>` */
                id?: components["parameters"]["id"];
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            model: string;
                            rows: {
                                /** @enum {unknown} */
                                c: "all" | "some" | "own" | "none" | true | false;
                                /** @enum {unknown} */
                                r: "all" | "some" | "own" | "none" | true | false;
                                /** @enum {unknown} */
                                u: "all" | "some" | "own" | "none" | true | false;
                                /** @enum {unknown} */
                                d: "all" | "some" | "own" | "none" | true | false;
                            };
                            fields: {
                                [key: string]: string;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "cache.stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hits: number;
                        misses: number;
                        keys: number;
                        ksize: number;
                        vsize: number;
                    } | {
                        /** @constant */
                        cache_enabled: false;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "cache.clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "server.settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            variable: string;
                            key: string;
                            meaning: string;
                            hidden: boolean;
                            /** @description The value; absent where it is hidden */
                            value?: unknown;
                            /** @description The default, where there is one */
                            default?: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "server.storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            model: string;
                            collection: string;
                            documents?: number;
                            data_bytes?: number;
                            storage_bytes?: number;
                            index_bytes?: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "documents.bulkWrite.job": {
        parameters: {
            query?: {
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    insertOne: {
                        document: components["schemas"]["job.create"];
                    };
                } | {
                    updateOne: {
                        filter: {
                            [key: string]: unknown;
                        };
                        update: {
                            /** @description sets fields */
                            $set?: {
                                [key: string]: unknown;
                            };
                            /** @description sets fields of a document that an upsert creates */
                            $setOnInsert?: {
                                [key: string]: unknown;
                            };
                            /** @description removes fields */
                            $unset?: {
                                [key: string]: unknown;
                            };
                            /** @description adds a number */
                            $inc?: {
                                [key: string]: unknown;
                            };
                            /** @description multiplies by a number */
                            $mul?: {
                                [key: string]: unknown;
                            };
                            /** @description sets when the value is smaller */
                            $min?: {
                                [key: string]: unknown;
                            };
                            /** @description sets when the value is larger */
                            $max?: {
                                [key: string]: unknown;
                            };
                            /** @description appends to a list; supports $each, $slice, $sort and $position */
                            $push?: {
                                [key: string]: unknown;
                            };
                            /** @description appends values that the list does not contain; supports $each */
                            $addToSet?: {
                                [key: string]: unknown;
                            };
                            /** @description removes a value, or each value of $in, from a list */
                            $pull?: {
                                [key: string]: unknown;
                            };
                            /** @description removes the last (1) or first (-1) member of a list */
                            $pop?: {
                                [key: string]: unknown;
                            };
                            /** @description renames a field */
                            $rename?: {
                                [key: string]: unknown;
                            };
                            /** @description sets the current time */
                            $currentDate?: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                        upsert?: boolean;
                    };
                } | {
                    updateMany: {
                        filter: {
                            [key: string]: unknown;
                        };
                        update: {
                            /** @description sets fields */
                            $set?: {
                                [key: string]: unknown;
                            };
                            /** @description sets fields of a document that an upsert creates */
                            $setOnInsert?: {
                                [key: string]: unknown;
                            };
                            /** @description removes fields */
                            $unset?: {
                                [key: string]: unknown;
                            };
                            /** @description adds a number */
                            $inc?: {
                                [key: string]: unknown;
                            };
                            /** @description multiplies by a number */
                            $mul?: {
                                [key: string]: unknown;
                            };
                            /** @description sets when the value is smaller */
                            $min?: {
                                [key: string]: unknown;
                            };
                            /** @description sets when the value is larger */
                            $max?: {
                                [key: string]: unknown;
                            };
                            /** @description appends to a list; supports $each, $slice, $sort and $position */
                            $push?: {
                                [key: string]: unknown;
                            };
                            /** @description appends values that the list does not contain; supports $each */
                            $addToSet?: {
                                [key: string]: unknown;
                            };
                            /** @description removes a value, or each value of $in, from a list */
                            $pull?: {
                                [key: string]: unknown;
                            };
                            /** @description removes the last (1) or first (-1) member of a list */
                            $pop?: {
                                [key: string]: unknown;
                            };
                            /** @description renames a field */
                            $rename?: {
                                [key: string]: unknown;
                            };
                            /** @description sets the current time */
                            $currentDate?: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                        upsert?: boolean;
                    };
                } | {
                    replaceOne: {
                        filter: {
                            [key: string]: unknown;
                        };
                        replacement: components["schemas"]["job.create"];
                        upsert?: boolean;
                    };
                } | {
                    deleteOne: {
                        filter: {
                            [key: string]: unknown;
                        };
                    };
                } | {
                    deleteMany: {
                        filter: {
                            [key: string]: unknown;
                        };
                    };
                })[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        data: {
                            /** @constant */
                            ok: 1;
                            nInserted: number;
                            nMatched: number;
                            nModified: number;
                            nRemoved: number;
                            nUpserted: number;
                            insertedIds: {
                                [key: string]: string;
                            };
                            upsertedIds: {
                                [key: string]: string;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "functions.callByQuery.job.twice": {
        parameters: {
            query?: {
                /**
                 * @description The parameters of the function
                 * @example {}
                 */
                parameters?: components["parameters"]["parameters"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the function returned */
                        data: unknown;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "functions.call.job.twice": {
        parameters: {
            query?: {
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the function returned */
                        data: unknown;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "functions.callForDocumentByQuery.job.twice": {
        parameters: {
            query?: {
                /**
                 * @description The parameters of the function
                 * @example {}
                 */
                parameters?: components["parameters"]["parameters"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the function returned */
                        data: unknown;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "functions.callForDocument.job.twice": {
        parameters: {
            query?: {
                /** @description Suppresses the event and the post-hook of a write: `_silence=true` */
                _silence?: components["parameters"]["_silence"];
            };
            header?: {
                /** @description A key of the request: sent again within 24 hours, it gets the first answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the function returned */
                        data: unknown;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribe.author": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribe.book": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribe.job": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribe.ledger": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribe.user": {
        parameters: {
            query?: {
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribeToDocument.author": {
        parameters: {
            query?: {
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribeToDocument.book": {
        parameters: {
            query?: {
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribeToDocument.job": {
        parameters: {
            query?: {
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribeToDocument.ledger": {
        parameters: {
            query?: {
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "events.subscribeToDocument.user": {
        parameters: {
            query?: {
                /** @description Events after this position: `since=<position>` */
                since?: components["parameters"]["since"];
                /** @description Authenticates an event stream or a WebSocket: `ticket=<ticket>` */
                ticket?: components["parameters"]["ticket"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            413: components["responses"]["413"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "account.verifyEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    jwt: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        token: string;
                        /** Format: date-time */
                        token_expires: string;
                        refresh_token: string;
                        /** Format: date-time */
                        refresh_token_expires: string;
                        apikey: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "account.sendVerification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    email?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        token: string;
                        /** Format: date-time */
                        token_expires: string;
                        refresh_token: string;
                        /** Format: date-time */
                        refresh_token_expires: string;
                        apikey: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.loginByCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ticket: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        token: string;
                        /** Format: date-time */
                        token_expires: string;
                        refresh_token: string;
                        /** Format: date-time */
                        refresh_token_expires: string;
                        apikey: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        token: string;
                        /** Format: date-time */
                        token_expires: string;
                        refresh_token: string;
                        /** Format: date-time */
                        refresh_token_expires: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.refreshByLogin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        token: string;
                        /** Format: date-time */
                        token_expires: string;
                        refresh_token: string;
                        /** Format: date-time */
                        refresh_token_expires: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.logoutByLogin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "account.renewApiKey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        apikey: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.createJwt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        jwt: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.loginByJwt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    jwt?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        token: string;
                        /** Format: date-time */
                        token_expires: string;
                        refresh_token: string;
                        /** Format: date-time */
                        refresh_token_expires: string;
                        apikey: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "caller.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            user: {
                                _id: string;
                                id?: string;
                                /** Format: email */
                                email?: string;
                                name?: string;
                                admin?: boolean;
                                groups?: string[];
                            };
                            roles: string[];
                            method: ("basic" | "token" | "apikey" | "key" | "jwt") | null;
                            session: string | null;
                            key: string | null;
                            expires: string | null;
                            by?: string;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.list": {
        parameters: {
            query?: {
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            created_at: string | null;
                            last_used_at: string | null;
                            address: string | null;
                            agent: string | null;
                            current: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.endAll": {
        parameters: {
            query?: {
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "sessions.end": {
        parameters: {
            query?: {
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "keys.list": {
        parameters: {
            query?: {
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            name: string;
                            scopes: {
                                [key: string]: string;
                            } | null;
                            addresses: string[] | null;
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "keys.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes?: {
                        [key: string]: string;
                    };
                    expires_at?: string;
                    addresses?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            id: string;
                            name: string;
                            scopes: {
                                [key: string]: string;
                            } | null;
                            addresses: string[] | null;
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            key: string;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "keys.remove": {
        parameters: {
            query?: {
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "keys.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    overlap?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            id: string;
                            name: string;
                            scopes: {
                                [key: string]: string;
                            } | null;
                            addresses: string[] | null;
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            key: string;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "tickets.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        ticket: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "account.recoverPassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "account.resetPassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    jwt: string;
                    password: string;
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "account.changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "account.changeEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            email: string;
                            email_verified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "factor.confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            recovery_codes: string[];
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "factor.prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            secret: string;
                            otpauth_url: string;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "factor.remove": {
        parameters: {
            query?: {
                /** @description The user whose rights, sessions, keys or second factor are meant; admins only: `user=<id>` */
                user?: components["parameters"]["user"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "oauth.start": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "oauth.finish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "groups.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            user_id: string;
                            groups: string[];
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "groups.add": {
        parameters: {
            query?: {
                /** @description A group of a user: `group=<name>` */
                group?: components["parameters"]["group"];
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    group?: string | string[];
                    groups?: string | string[];
                } | string[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            user_id: string;
                            groups: string[];
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "groups.replace": {
        parameters: {
            query?: {
                /** @description A group of a user: `group=<name>` */
                group?: components["parameters"]["group"];
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    group?: string | string[];
                    groups?: string | string[];
                } | string[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            user_id: string;
                            groups: string[];
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "groups.remove": {
        parameters: {
            query?: {
                /** @description A group of a user: `group=<name>` */
                group?: components["parameters"]["group"];
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    group?: string | string[];
                    groups?: string | string[];
                } | string[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        data: {
                            user_id: string;
                            groups: string[];
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "setup.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        needed: boolean;
                        setup_needed: boolean;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "setup.createAdmin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    name?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        user_id: string;
                        data: {
                            _id: string;
                            id: string;
                            email: string;
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "setup.insertData": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: Record<string, never>[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                        results: {
                            [key: string]: {
                                insertedCount: number;
                                insertedIds: {
                                    [key: string]: string;
                                };
                            };
                        };
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
            default: components["responses"]["failure"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                /** @description Maximum number of documents in the answer: `limit=<whole number>` */
                limit?: components["parameters"]["limit"];
                /** @description Number of the page; adds count, count_is and page_count: `page=<whole number from 1>` */
                page?: components["parameters"]["page"];
                /** @description The page after a cursor: next_cursor of another page: `after=<cursor>` */
                after?: components["parameters"]["after"];
                /** @description The page before a cursor: prev_cursor of another page: `before=<cursor>` */
                before?: components["parameters"]["before"];
                /** @description Adds count, count_is and page_count: `count=true|exact|capped|estimated` */
                count?: components["parameters"]["count"];
                /** @description Order: `sort=-createdAt,title or sort[title]=1|-1|asc|desc` */
                sort?: components["parameters"]["sort"];
                /** @description Fields to include, or to exclude; `*` for all that are stored, for admins: `fields=a,b, fields=-a,-b or fields=*` */
                fields?: components["parameters"]["fields"];
                /**
                 * @description Selects documents: `filter[<field>]=<value> or $op:<value>`
                 * @example {}
                 */
                filter?: components["parameters"]["filter"];
                /** @description Full text, or text in one field: `search=<text> or search[<field>]=<text>` */
                search?: components["parameters"]["search"];
                /** @description Shows linked documents, in both directions: `populate=<link>, populate[]=<link>, populate[<link>]=<fields>` */
                populate?: components["parameters"]["populate"];
                /** @description Shows all linked documents that the caller may read: `autopopulate=1` */
                autopopulate?: components["parameters"]["autopopulate"];
                /** @description Shows soft-deleted documents too: `showDeleted=true` */
                showDeleted?: components["parameters"]["showDeleted"];
            };
            header?: {
                /** @description ETags that the caller has: 304 when the document has one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            _id?: string;
                            id?: string;
                            who?: string | null;
                            whom?: string | null;
                            /** @enum {unknown} */
                            what?: "login" | "login.failed" | "admin.granted" | "admin.revoked" | "groups.changed" | "password.changed" | "email.changed" | "apikey.renewed" | "jwt.created" | "key.created" | "key.rotated" | "key.removed" | "factor.enabled" | "factor.disabled" | "document.removed" | "setup" | "setup.data";
                            /** Format: date-time */
                            when?: string;
                            address?: string | null;
                            method?: string | null;
                            by?: string;
                            model?: string;
                            count?: number;
                            /** Format: date-time */
                            expires?: string;
                        }[];
                        limit?: number;
                        page?: number;
                        /** @constant */
                        limit_capped?: true;
                        next?: string;
                        prev?: string;
                        next_cursor?: string;
                        prev_cursor?: string;
                        count?: number;
                        /** @enum {unknown} */
                        count_is?: "exact" | "at_least" | "estimate";
                        page_count?: number;
                    };
                };
            };
            /** @description The document is unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
    "health.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            429: components["responses"]["429"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            default: components["responses"]["failure"];
        };
    };
}
