/** A time limit for work that knows of none. */ /** What the work comes to. @throws `late` when that takes longer than so many milliseconds; the work itself goes on */ export async function within(milliseconds, work, late) {
    let timer;
    const end = new Promise((_, failed)=>{
        timer = setTimeout(()=>failed(late()), milliseconds);
    });
    try {
        return await Promise.race([
            work,
            end
        ]);
    } finally{
        clearTimeout(timer);
    }
}
