import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call, externalSignInBeginThirdParty, externalSignInSignInThirdParty } from '@/shared/api';
import { paths, type Way, wayOf } from '@/shared/pages/paths';
import { External, leaveFor, rememberedWay, takeHandle } from './external';

/** The provider's error code (RFC 6749, 4.1.2.1). A link may carry any text: what is no code is not shown as its words. */
function reasonOf(error: string | null): string | null {
  return error && !/^[a-z_]{1,50}$/.test(error) ? 'server_error' : error;
}

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
  const [code, refusal] = [parameters.get('code'), reasonOf(parameters.get('error'))];
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
