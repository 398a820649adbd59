/** Which of a model's own middleware runs only where a document is saved. */ /** Such as `pre('save')`, at any depth; what Mongoose adds itself is marked by symbols. */ export function ownSaveHooks(schema) {
    const { hooks } = schema.s;
    const found = [
        [
            'pre',
            hooks._pres
        ],
        [
            'post',
            hooks._posts
        ]
    ].flatMap(([when, all])=>[
            'save',
            'validate'
        ].filter((name)=>all.get(name)?.some(isOwn)).map((name)=>`${when}('${name}')`));
    const inner = schema.childSchemas.flatMap((child)=>ownSaveHooks(child.schema));
    return [
        ...new Set([
            ...found,
            ...inner
        ])
    ];
}
const isOwn = ({ fn })=>Object.getOwnPropertySymbols(fn).length === 0;
