/** Films: sign in, list, edit, and see what others change as it happens. */
import { createClient, type DossierError } from 'dossier-client';
import { type FormEvent, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Film, Models } from './models.ts';

const url = new URLSearchParams(location.search).get('server') ?? location.origin;
const client = createClient<Models>({ url, storage: sessionStorage });
const films = client.model('film');
const shown = 10;

function App() {
  const [user, setUser] = useState(client.user);
  const [problem, setProblem] = useState('');
  const act = (work: Promise<unknown>) =>
    void work.then(
      () => setProblem(''),
      ({ err }: DossierError) => setProblem(err),
    );
  useEffect(() => {
    const changed = () => setUser(client.user);
    client.addEventListener('session', changed);
    return () => client.removeEventListener('session', changed);
  }, []);
  const signIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    act(client.login({ email: String(form.get('email')), password: String(form.get('password')) }));
  };
  return (
    <main>
      <p role="alert">{problem}</p>
      {user === undefined ? (
        <form onSubmit={signIn}>
          <input name="email" type="email" aria-label="Email" />
          <input name="password" type="password" aria-label="Password" />
          <button>Sign in</button>
        </form>
      ) : (
        <Films act={act} />
      )}
    </main>
  );
}

function Films({ act }: { act: (work: Promise<unknown>) => void }) {
  const [list, setList] = useState<readonly Film[]>([]);
  useEffect(() => {
    const live = films.live({ sort: '-updatedAt', limit: shown });
    live.onChange(() => setList(live.rows));
    act(live.ready);
    return () => live.close();
  }, []);
  return (
    <ul>
      {list.map(({ _id, title, rating }) => (
        <li key={`${_id} ${rating}`}>
          {title}
          <input
            aria-label={`Rating of ${title}`}
            defaultValue={rating ?? ''}
            onBlur={({ target }) => act(films.set(_id, { rating: Number(target.value) }))}
          />
        </li>
      ))}
      <button onClick={() => act(client.logout())}>Sign out</button>
    </ul>
  );
}

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
