import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call, externalSignInBeginThirdParty, externalSignInSignInThirdParty } from '@/shared/api';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths, type Way, wayOf } from '@/shared/pages/paths';
import { External, rememberedWay, rememberWay } from './external';

async function leave(way: Way): Promise<undefined> {
  const { url, handle } = await call(externalSignInBeginThirdParty());
  // For this tab only: the answer of a sign-in that was begun elsewhere is not taken.
  session.set(storeKeys.signInHandle, handle);
  rememberWay(way);
  window.location.assign(url);
}

function finish(code: string, state: string, { sourceUrl }: Way) {
  const handle = session.get<string>(storeKeys.signInHandle) ?? '-';
  session.remove(storeKeys.signInHandle);
  const body = { code, state, handle, sourceUrl: sourceUrl ?? '' };
  return call(externalSignInSignInThirdParty({ body }));
}

/** Leads to the OpenID Connect provider, and is where that sends the viewer back to. */
export default function ThirdPartyPage() {
  const [parameters] = useSearchParams();
  const [code, refusal] = [parameters.get('code'), parameters.get('error')];
  const [way] = useState(() => (code || refusal ? rememberedWay(parameters) : wayOf(parameters)));
  return (
    <External
      way={way}
      refusal={refusal}
      run={() => (code ? finish(code, parameters.get('state') ?? '-', way) : leave(way))}
      again={paths.thirdPartySignIn}
    />
  );
}
