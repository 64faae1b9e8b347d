import { useSearchParams } from 'react-router';
import { call, externalSignInBeginThirdParty, externalSignInSignInThirdParty } from '@/shared/api';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';
import { External, rememberWay, sourceOf } from './external';

async function leave(parameters: URLSearchParams): Promise<undefined> {
  const { url, handle } = await call(externalSignInBeginThirdParty());
  // For this tab only: the answer of a sign-in that was begun elsewhere is not taken.
  session.set(storeKeys.signInHandle, handle);
  rememberWay(parameters);
  window.location.assign(url);
}

function finish(code: string, parameters: URLSearchParams) {
  const state = parameters.get('state') ?? '-';
  const handle = session.get<string>(storeKeys.signInHandle) ?? '-';
  session.remove(storeKeys.signInHandle);
  const sourceUrl = sourceOf(parameters);
  return call(externalSignInSignInThirdParty({ body: { code, state, handle, sourceUrl } }));
}

/** Leads to the OpenID Connect provider, and is where that sends the viewer back to. */
export default function ThirdPartyPage() {
  const [parameters] = useSearchParams();
  const code = parameters.get('code');
  return (
    <External
      refusal={parameters.get('error')}
      run={() => (code ? finish(code, parameters) : leave(parameters))}
      again={paths.thirdPartySignIn()}
    />
  );
}
