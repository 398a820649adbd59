/** The first admin, while there is no user. Its body is that of a new user, but for rights, which are those of an admin. */ import { makeFirstAdmin, requireSetup, setupNeeded } from "../auth/first-admin.js";
import { checkOrigin, checkSetupToken } from "../auth/setup-guard.js";
import { plainEmail } from "../email.js";
import { badBody, badEmail, badValue } from "../errors.js";
import { email as address, flag, id, message, object, text } from "../openapi/shapes.js";
import { valuesFrom } from "../write/body.js";
import { fromWrite } from "../write/mongoose-errors.js";
import { json } from "./answer.js";
import { ownCheck } from "./body-check.js";
import { open } from "./operation.js";
export const setup = {
    title: 'Setup',
    secret: true,
    operations: [
        {
            name: 'setup.status',
            http: {
                method: 'GET',
                path: '/setup'
            },
            summary: 'Whether setup is needed',
            effect: 'read',
            access: open('tells whether a first admin is needed, and nothing else'),
            answers: {
                200: object({
                    ...message,
                    needed: flag,
                    setup_needed: flag
                })
            },
            run: status
        },
        {
            name: 'setup.createAdmin',
            http: {
                method: 'POST',
                path: '/setup'
            },
            summary: 'Makes the first admin',
            effect: 'write',
            access: open('works only while there is no user', guard),
            input: {
                body: {
                    // the user model has further fields
                    schema: {
                        ...object({
                            email: address,
                            password: text
                        }, {
                            name: ownCheck(text)
                        }),
                        additionalProperties: true
                    },
                    refuse
                }
            },
            conflicts: true,
            answers: {
                201: object({
                    ...message,
                    user_id: id,
                    data: object({
                        _id: id,
                        id,
                        email: text
                    })
                })
            },
            run: first
        }
    ]
};
function guard(context) {
    checkOrigin(context);
    checkSetupToken(context);
}
function refuse({ path }) {
    if (path === 'email') return badEmail();
    return path === 'password' ? badValue(path, 'String', 'must be text') : badBody('send email and password');
}
async function status({ services }) {
    const needed = await setupNeeded(services.registry);
    return json({
        status: 'ok',
        message: needed ? 'there is no user yet: POST /setup' : 'setup is done',
        needed,
        setup_needed: needed
    });
}
async function first(context) {
    const { services, body } = context;
    const { email, password, ...others } = body;
    // nobody makes the server hash passwords once it is set up
    await requireSetup(services.registry);
    const fields = await valuesFrom({
        ...context,
        model: services.registry.internal('user'),
        body: others
    }, false);
    const given = {
        email,
        password,
        name: services.settings.admin.name,
        fields
    };
    const made = makeFirstAdmin(services.registry, services.passwords, services.clock, given);
    const id = await made.catch((error)=>{
        throw fromWrite(error);
    });
    return {
        kind: 'json',
        status: 201,
        value: {
            status: 'ok',
            message: 'admin created',
            user_id: id,
            data: {
                _id: id,
                id,
                email: plainEmail(email)
            }
        }
    };
}
