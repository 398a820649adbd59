/** The optional config file: settings by their keys, hooks, OAuth providers and extra parameters. */ import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { oauthFaults } from "./oauth.js";
import { SettingsError } from "./read.js";
import { settingRows } from "./table.js";
/** The operations that hooks can be hung on (contract, part 9). */ const hookNames = [
    'login',
    'get',
    'getOne',
    'post',
    'put',
    'update',
    'delete',
    'query',
    'aggregate',
    'count',
    'csv',
    'bulkwrite',
    'call'
];
const names = [
    'ts',
    'js',
    'mjs',
    'cjs'
].map((ending)=>`dossier.config.${ending}`);
/** Where the config file is: the one named, else the first that the folder has; undefined when there is none. */ export async function findConfigFile(named, folder) {
    if (named !== undefined && named !== '') return resolve(folder, named);
    for (const name of names){
        const file = join(folder, name);
        if (await access(file).then(()=>true, ()=>false)) return file;
    }
    return undefined;
}
/** Loads and checks a config file. @throws SettingsError naming the file */ export async function loadConfigFile(file, load) {
    let config;
    try {
        config = await load(file);
    } catch (error) {
        throw new SettingsError([
            `${file}: ${reasonOf(error)}`
        ]);
    }
    const faults = faultsOf(config);
    if (faults.length > 0) throw new SettingsError(faults.map((fault)=>`${file}: ${fault}`));
    return config;
}
/** The first line: what follows lists the files that were on the way. */ const reasonOf = (error)=>(error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
/** What is wrong with a config: unknown keys and hooks, and what is of the wrong kind. */ export function faultsOf(config) {
    if (typeof config !== 'object' || config === null) return [
        'the default export must be an object'
    ];
    const { pre_hooks, post_hooks, oauth, extra_parameters } = config;
    return [
        ...unknownKeys(config),
        ...oauthFaults(oauth),
        ...hookFaults('pre_hooks', pre_hooks),
        ...hookFaults('post_hooks', post_hooks),
        ...extra_parameters === undefined || Array.isArray(extra_parameters) && extra_parameters.every((name)=>typeof name === 'string') ? [] : [
            'extra_parameters must be a list of names'
        ]
    ];
}
const otherKeys = [
    'pre_hooks',
    'post_hooks',
    'oauth',
    'extra_parameters',
    'throttle_stores'
];
/** A key that nothing reads would be a setting that silently isn't. */ function unknownKeys(config) {
    const known = new Set([
        ...settingRows.flatMap(({ key })=>[
                key,
                key.split('.', 1)[0] ?? key
            ]),
        ...otherKeys
    ]);
    const given = Object.entries(config).flatMap(([key, value])=>settingRows.some((row)=>row.key.startsWith(`${key}.`)) && typeof value === 'object' && value !== null ? Object.keys(value).map((name)=>`${key}.${name}`) : [
            key
        ]);
    return given.filter((key)=>!known.has(key)).map((key)=>`${key} is unknown`);
}
function hookFaults(section, hooks) {
    if (hooks === undefined) return [];
    if (typeof hooks !== 'object' || hooks === null) return [
        `${section} must be an object`
    ];
    return Object.entries(hooks).flatMap(([name, hook])=>{
        if (!hookNames.includes(name)) return [
            `${section}.${name} is unknown; there are ${hookNames.join(', ')}`
        ];
        const list = Array.isArray(hook) ? hook : [
            hook
        ];
        return list.every((one)=>typeof one === 'function') ? [] : [
            `${section}.${name} must be a function or a list of functions`
        ];
    });
}
