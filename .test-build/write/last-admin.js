/** The last admin can be neither deleted nor demoted (409). */ import { conflict } from "../errors.js";
import { notDeleted } from "../registry/deleted.js";
import { castId } from "../registry/cast.js";
import { modelOf } from "../registry/mongoose.js";
const admins = {
    admin: true,
    ...notDeleted
};
/** Does a write unless it would take the last admin away: `admin` no longer true, or `_deleted`. */ export const keepAnAdmin = (context, values, write)=>takesAdmins(context.model, values) ? keeping(context, {
        _id: castId('id', context.params['id'])
    }, write) : write();
/** Whether setting these values may take an admin away. */ export const takesAdmins = (model, values)=>model.name === 'user' && (Object.hasOwn(values, 'admin') && values['admin'] !== true && values['admin'] !== 'true' || values['_deleted'] === true);
/** Does a write that takes users away, unless no admin would be left. @param cascades it takes along what links to the document */ export function withoutLastAdmin(context, filter, write, cascades = false) {
    if (context.model.name === 'user') return keeping(context, filter, write);
    return cascades && reachesUsers(context) ? context.services.oneAtATime('admins', write) : write();
}
/** Whether a cascade may come to users: their model has links of its own. */ const reachesUsers = ({ services })=>services.registry.internal('user').links.some(({ model, stamp, array })=>!stamp && !array && model !== 'user');
/** One after the other, so that two admins cannot take each other away at once. */ const keeping = (context, filter, write)=>context.services.oneAtATime('admins', async ()=>{
        await checkAdminStays(context.model, filter);
        return write();
    });
/** @throws 409 when all admins that there are are among these users */ export async function checkAdminStays(users, these, session) {
    const { collection } = modelOf(users);
    const one = {
        limit: 1,
        ...session === undefined ? {} : {
            session
        }
    };
    if (await collection.countDocuments({
        $and: [
            these,
            admins
        ]
    }, one) > 0 && await collection.countDocuments({
        $and: [
            admins,
            {
                $nor: [
                    these
                ]
            }
        ]
    }, one) === 0) throw conflict('the last admin cannot be deleted or demoted');
}
