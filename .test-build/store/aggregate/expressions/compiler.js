/** An expression becomes a function: paths, variables, constants, lists, objects and operators. */ import { StoreError, unknownName } from "../../errors.js";
import { setField } from "../../values/decode.js";
import { isDoc } from "../../values/kind.js";
import { Work } from "../memory.js";
import { checkFieldName, readPath, valueAlong } from "./paths.js";
import { scopeOf } from "./scope.js";
import { systemVariables, readVariable } from "./variables.js";
/** Texts whose length counts, even where they are given with the pipeline. */ const longText = 256;
/** Makes functions of expressions, within the variables that are known. */ export class Compiler {
    context;
    names;
    #shared;
    constructor(context, names, shared){
        this.context = context;
        this.names = names;
        this.#shared = shared;
    }
    static create(operators, context) {
        const work = new Work(context);
        return new Compiler(context, undefined, {
            operators,
            work,
            constants: new WeakMap(),
            letValues: new Map()
        });
    }
    /** What is made for one document is bounded. */ get work() {
        return this.#shared.work;
    }
    /** A compiler that knows more variables, the last being the innermost. */ within(...names) {
        const all = names.reduce((outer, name)=>({
                name,
                outer
            }), this.names);
        return new Compiler(this.context, all, this.#shared);
    }
    /** The same for a pipeline on another collection. */ on(collection) {
        return new Compiler({
            ...this.context,
            collection
        }, this.names, this.#shared);
    }
    /** @throws StoreError with MongoDB's code for what can't be read */ compile(expression) {
        if (typeof expression === 'string' && expression.startsWith('$')) return this.#pathOrVariable(expression);
        if (Array.isArray(expression)) return this.#list(expression);
        return isDoc(expression) ? this.#objectOrOperator(expression) : this.constant(expression);
    }
    /** The function of a value that never changes. */ constant(value) {
        const { meter } = this.context;
        const evaluate = typeof value === 'string' && value.length >= longText ? ()=>meter.passed(value) : ()=>value;
        this.#shared.constants.set(evaluate, {
            value
        });
        return evaluate;
    }
    /** The value of an expression that is the same for every document. */ constantOf(evaluate) {
        return this.#shared.constants.get(evaluate);
    }
    /** Evaluates an expression in which no field is used. */ evaluateConstant(expression) {
        return this.compile(expression)(scopeOf({}, undefined));
    }
    #pathOrVariable(text) {
        const { meter } = this.context;
        if (text.startsWith('$$')) {
            const [name = '', ...parts] = readPath(text.slice(2));
            const read = readVariable(name, parts, this);
            return this.constantOf(read) === undefined ? (scope)=>meter.passed(read(scope)) : read;
        }
        const parts = readPath(text.slice(1));
        return ({ current })=>meter.passed(valueAlong(current, parts, meter));
    }
    #list(expressions) {
        const parts = expressions.map((part)=>this.compile(part));
        return this.#constantIf(parts, (scope)=>parts.map((part)=>part(scope) ?? null));
    }
    #objectOrOperator(expression) {
        const entries = Object.entries(expression);
        const [first] = entries;
        if (first === undefined) return this.constant(expression);
        if (!first[0].startsWith('$')) return this.#object(entries);
        if (entries.length > 1) {
            throw new StoreError(15983, `an object representing an expression must have exactly one field: ${entries.map(([name])=>name).join(', ')}`);
        }
        const [name, operand] = first;
        const operator = this.#shared.operators.get(name);
        if (operator === undefined) throw unknownName(168, `Unrecognized expression '${name}'`);
        return this.#measured(operator(operand, this, name));
    }
    #object(entries) {
        const parts = entries.map(([name, part])=>{
            checkFieldName(name);
            return {
                name,
                evaluate: this.compile(part)
            };
        });
        const evaluate = (scope)=>{
            const made = {};
            for (const part of parts){
                const value = part.evaluate(scope);
                if (value !== undefined) setField(made, part.name, value);
            }
            return made;
        };
        return this.#constantIf(parts.map((part)=>part.evaluate), evaluate);
    }
    #constantIf(parts, evaluate) {
        if (!parts.every((part)=>this.constantOf(part) !== undefined)) return this.#measured(evaluate);
        return this.constant(evaluate(scopeOf({}, undefined)));
    }
    /** What is made of values is measured, as it may grow without bound. */ #measured(evaluate) {
        if (this.constantOf(evaluate) !== undefined) return evaluate;
        const { meter } = this.context;
        return (scope)=>meter.made(evaluate(scope));
    }
    /** The value of one of the command's own variables, if there is one of the name. */ letValue(name) {
        const given = this.context.let;
        if (given === undefined || !Object.hasOwn(given, name)) return undefined;
        const { letValues } = this.#shared;
        if (!letValues.has(name)) letValues.set(name, this.evaluateConstant(given[name]));
        return {
            value: letValues.get(name)
        };
    }
    /** The value of a variable that is always there. */ systemValue(name) {
        return systemVariables.get(name)?.(this);
    }
}
