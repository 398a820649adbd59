/** Verdicts on filters as one look at some changes needs them: what is quick is found out at once, the rest is gathered. */ /** Milliseconds of the main thread that one look of one subscriber may take. */ const maxQuickMs = 10;
export class Judge {
    matching;
    undeletedRows;
    #until = performance.now() + maxQuickMs;
    #unknown = new Map();
    #costly = new Set();
    constructor(matching, undeletedRows){
        this.matching = matching;
        this.undeletedRows = undeletedRows;
    }
    /** False also for what is not known. */ matches(row, matcher) {
        let verdict = this.matching.known(row, matcher);
        if (verdict === undefined && performance.now() < this.#until) verdict = this.matching.quick(row, matcher);
        if (verdict === undefined) {
            const matchers = this.#unknown.get(row);
            if (matchers === undefined) this.#unknown.set(row, [
                matcher
            ]);
            else matchers.push(matcher);
        }
        if (verdict === 'too costly') this.#costly.add(matcher);
        return verdict === true;
    }
    /** The row of a deleted document as it was before; the same one each time, so that verdicts on it are kept. */ undeleted(row) {
        const known = this.undeletedRows.get(row) ?? {
            ...row,
            _deleted: false
        };
        this.undeletedRows.set(row, known);
        return known;
    }
    /** A question whose answer is missing. */ get question() {
        const [first] = this.#unknown;
        return first === undefined ? undefined : {
            row: first[0],
            matchers: first[1]
        };
    }
    /** Whether nothing can be said of a filter, because it takes too long. */ isCostly(matcher) {
        return matcher !== undefined && this.#costly.has(matcher);
    }
}
