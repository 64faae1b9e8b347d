import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call, externalSignInBeginThirdParty, externalSignInSignInThirdParty } from '@/shared/api';
import { paths, type Way, wayOf } from '@/shared/pages/paths';
import { External, leaveFor, rememberedWay, takeHandle } from './external';

async function leave(way: Way): Promise<undefined> {
  leaveFor(await call(externalSignInBeginThirdParty()), way);
}

function finish(code: string, state: string, { sourceUrl }: Way) {
  const body = { code, state, handle: takeHandle(), sourceUrl: sourceUrl ?? '' };
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
