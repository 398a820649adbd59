/** What an expression is evaluated in: the document, and the variables around it. */ /** The scope of a document. */ export const scopeOf = (doc, frame)=>({
        root: doc,
        current: doc,
        frame
    });
/** A scope with one more variable. */ export const bind = (scope, value)=>({
        root: scope.root,
        current: scope.current,
        frame: {
            value,
            outer: scope.frame
        }
    });
