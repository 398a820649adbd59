/** What a regular expression is made of, once its text is read. */ /** The parts directly inside of a part. */ export function partsOf(node) {
    switch(node.type){
        case 'sequence':
            return node.parts;
        case 'choice':
            return node.options;
        case 'repeat':
        case 'capture':
        case 'look':
        case 'atomic':
            return [
                node.body
            ];
        default:
            return [];
    }
}
/** Whether a part or any inside of it passes a test. */ export function hasPart(node, test) {
    return test(node) || partsOf(node).some((part)=>hasPart(part, test));
}
