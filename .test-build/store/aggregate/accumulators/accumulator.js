/** What an accumulator is: something that gathers from one document after the other. */ import { StoreError } from "../../errors.js";
/** An accumulator of the values of one expression. */ export const ofValues = (start)=>(operand, compiler, name)=>{
        if (Array.isArray(operand)) throw new StoreError(40237, `The ${name} accumulator is a unary operator`);
        const evaluate = compiler.compile(operand);
        return (memory)=>{
            const gathering = start(memory, compiler.context);
            return {
                add: (scope)=>gathering.add(evaluate(scope)),
                result: ()=>gathering.result()
            };
        };
    };
