import { useSearchParams } from 'react-router';
import { call, externalSignInBeginThirdParty, externalSignInSignInThirdParty } from '@/shared/api';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';
import { External, rememberRedirect } from './external';

async function leave(redirect: string | null): Promise<undefined> {
  const { url, handle } = await call(externalSignInBeginThirdParty());
  // For this tab only: the answer of a sign-in that was begun elsewhere is not taken.
  session.set(storeKeys.signInHandle, handle);
  rememberRedirect(redirect);
  window.location.assign(url);
}

function finish(code: string, state: string) {
  const handle = session.get<string>(storeKeys.signInHandle) ?? '-';
  session.remove(storeKeys.signInHandle);
  return call(externalSignInSignInThirdParty({ body: { code, state, handle } }));
}

/** Leads to the OpenID Connect provider, and is where that sends the viewer back to. */
export default function ThirdPartyPage() {
  const [parameters] = useSearchParams();
  const code = parameters.get('code');
  return (
    <External
      refusal={parameters.get('error')}
      run={() => (code ? finish(code, parameters.get('state') ?? '-') : leave(parameters.get('redirect')))}
      again={paths.thirdPartySignIn()}
    />
  );
}
