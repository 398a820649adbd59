/** Reads the settings once, checks all of them in one go and freezes them. The only reader of the environment. */ import { config as readDotenv } from 'dotenv';
import { kindReaders } from "./kinds.js";
import { settingRows } from "./table.js";
/** What stops a start: every fault, each naming its variable. */ export class SettingsError extends Error {
    faults;
    constructor(faults, cause){
        super(faults.join('\n'), {
            cause
        });
        this.name = 'SettingsError';
        this.faults = faults;
    }
}
/**
 * What a step of the start comes to.
 * @param variable whose fault it is when the step fails
 * @throws SettingsError that names the variable and the reason, without the password of a URL
 */ export async function blaming(variable, step) {
    try {
        return await step;
    } catch (error) {
        const name = typeof variable === 'string' ? variable : variable(error);
        const reasons = error instanceof SettingsError ? error.faults : [
            firstLine(error)
        ];
        throw new SettingsError(reasons.map((reason)=>`${name}: ${reason.replace(/\/\/[^\s/]*@/g, '//')}`), error);
    }
}
const firstLine = (error)=>(error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
/** The environment with `.env` of the working folder below it: what is set already wins. */ export function readEnvironment() {
    readDotenv({
        quiet: true
    });
    return process.env;
}
/**
 * Settings from an environment and, below it, from a config's keys and the table's defaults.
 * @throws SettingsError with one line a fault
 */ export function readSettings(environment, given = {}) {
    const faults = [];
    const settings = {
        production: environment['NODE_ENV'] === 'production'
    };
    for (const row of settingRows){
        const value = valueOf(row, environment, given, faults);
        place(settings, row.key, value);
    }
    const isSet = (key)=>settingRows.some((row)=>row.key === key && textFor(row, environment, given) !== undefined);
    faults.push(...faultsBetween(settings, isSet).filter((fault)=>!isTold(fault, faults)));
    if (faults.length > 0) throw new SettingsError(faults);
    return deepFreeze(settings);
}
function valueOf(row, environment, given, faults) {
    const text = textFor(row, environment, given) ?? row.default;
    if (text === undefined) return undefined;
    try {
        return kindReaders[row.kind](text, row);
    } catch (error) {
        faults.push(`${row.variable}: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
    }
}
/** What is set of a row, in the environment or else in the config. */ function textFor({ variable, key }, environment, given) {
    const text = environment[variable];
    return text === undefined || text === '' ? textOf(look(given, key)) : text.trim();
}
const textOf = (value)=>value === undefined || value === null ? undefined : Array.isArray(value) ? value.join(',') : String(value);
function look(given, key) {
    let value = given;
    for (const part of key.split('.')){
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
        value = value[part];
    }
    return value;
}
function place(settings, key, value) {
    const [section = '', name] = key.split('.');
    if (name === undefined) settings[section] = value;
    else settings[section] = {
        ...settings[section],
        [name]: value
    };
}
/** Whether a part of the same section is at fault already, so that a rule between them says nothing new. */ const isTold = (fault, faults)=>faults.some((other)=>other.split('_', 1)[0] === fault.split('_', 1)[0]);
/** Rules between settings; a default that does not fit what is set is no fault. */ function faultsBetween(settings, isSet) {
    const faults = [];
    const limits = settings.query_limits;
    if (limits.default > limits.max && isSet('query_limits.default')) faults.push('QUERY_LIMITS_DEFAULT: must not be larger than QUERY_LIMITS_MAX');
    if (settings.production && settings.bcrypt_cost < 10) faults.push('BCRYPT_COST: must be 10 or more in production');
    if (settings.production && (settings.shared_secret?.length ?? 0) < 16) faults.push('SHARED_SECRET: must be set in production, to 16 random characters or more');
    if (settings.admin.email === undefined !== (settings.admin.password === undefined)) faults.push('ADMIN_EMAIL: ADMIN_EMAIL and ADMIN_PASSWORD go together');
    if ((settings.admin.password?.length ?? Infinity) < settings.password_min_length) faults.push('ADMIN_PASSWORD: must be as long as PASSWORD_MIN_LENGTH says');
    return faults;
}
function deepFreeze(value) {
    for (const inner of Object.values(value))if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
    return Object.freeze(value);
}
