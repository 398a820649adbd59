/** Who is asking: anonymous, or a user with the roles in the order in which they are tried. */ /** What is known of the signed-in user; never a password. */ /** Names that mean something else and so are no group names. */ export const reservedGroups = new Set([
    'all',
    'admin',
    'user',
    'owner',
    ...Object.getOwnPropertyNames(Object.prototype),
    'prototype'
]);
export const anonymous = Object.freeze({
    user: undefined,
    admin: false,
    roles: Object.freeze([
        'all'
    ]),
    session: undefined
});
/** The principal of a user. */ export function principalOf(user, session, epoch) {
    const groups = user.groups.filter((group)=>!reservedGroups.has(group));
    const roles = [
        'all',
        ...user.admin ? [
            'admin'
        ] : [],
        'user',
        ...groups
    ];
    const since = epoch === undefined ? {} : {
        epoch
    };
    return Object.freeze({
        user,
        admin: user.admin,
        roles: Object.freeze(roles),
        session,
        ...since
    });
}
