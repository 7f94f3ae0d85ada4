"""What `serinus doctor` looks at: one function a check, over values and ports; nothing here prints."""

from __future__ import annotations

from serinus.service.doctor.diagnosis import Diagnosis, Severity
from serinus.service.doctor.examination import Clinic, Examination, Records, Surroundings

__all__ = ["Clinic", "Diagnosis", "Examination", "Records", "Severity", "Surroundings"]
