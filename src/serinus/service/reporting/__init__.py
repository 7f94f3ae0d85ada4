"""Users' reports: which route served, what is known of it, and what was kept of the report (R26).

A report never holds a word of what a user wrote or read: there is no field for it.
"""

from __future__ import annotations

from serinus.service.reporting.asked import Asked, BadReportError, Complaint, understood
from serinus.service.reporting.documents import report_document
from serinus.service.reporting.findings import Candidate, Confidence, Found, Source
from serinus.service.reporting.report import Filed, file_report
from serinus.service.reporting.reproducing import contract_of, reproduction, suspects_of
from serinus.service.reporting.serving import Lookup, Trace, nowhere
from serinus.service.reports import ReportRow, Reports

__all__ = [
    "Asked",
    "BadReportError",
    "Candidate",
    "Complaint",
    "Confidence",
    "Filed",
    "Found",
    "Lookup",
    "ReportRow",
    "Reports",
    "Source",
    "Trace",
    "contract_of",
    "file_report",
    "nowhere",
    "report_document",
    "reproduction",
    "suspects_of",
    "understood",
]
