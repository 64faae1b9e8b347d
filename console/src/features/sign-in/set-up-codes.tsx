import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { SetUpAnswer } from '@/shared/api';
import { saveText } from '@/shared/lib/save-file';
import { ownPath, type Way } from '@/shared/pages/paths';
import { Card } from './card';
import { enter } from './enter';

/** The recovery codes, which cannot be shown again; the console opens when they are kept. */
export function Codes({ answer, way }: { answer: SetUpAnswer; way: Way }) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const go = () => {
    if (enter(answer)) navigate(ownPath(way.redirect), { replace: true });
  };
  const save = () =>
    saveText('zcbus-recovery-codes.txt', `${answer.recoveryCodes.join('\n')}\n`, 'text/plain');
  return (
    <Card title={t('secondFactor.codes')}>
      <p className="sign-in-answer" role="status" data-kind="info">
        {t('secondFactor.codesHint')}
      </p>
      <ul className="sign-in-codes" aria-label={t('secondFactor.codes')}>
        {answer.recoveryCodes.map((each) => (
          <li key={each}>
            <code>{each}</code>
          </li>
        ))}
      </ul>
      <button type="button" className="sign-in-submit" onClick={go}>
        {t('secondFactor.codesKept')}
      </button>
      <p className="sign-in-other">
        <button type="button" className="sign-in-link" onClick={save}>
          {t('secondFactor.saveCodes')}
        </button>
      </p>
    </Card>
  );
}
